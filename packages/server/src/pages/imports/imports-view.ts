import type { Session } from "../../features/accounts/index.ts";
import { LIST_KINDS, type HeldImport } from "../../features/imports/index.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  actForm,
  alertView,
  choiceField,
  proofField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { timeView } from "../kit/time-view.ts";
import { importTexts as texts } from "../languages/texts.ts";
import { IMPORTS } from "../session/places.ts";
import { importReportView } from "./report-view.ts";

export type ImportsPage = {
  /** Newest first. */
  readonly imports: readonly HeldImport[];
  readonly maxBytes: number;
  readonly now: Date;
  readonly fault?: string | undefined;
  readonly notice?: string | undefined;
};

/** The import that is not ended, or the form to begin one; and the ended ones. */
export function importsView(session: Session, page: ImportsPage): Html {
  const { imports, now, fault } = page;
  const open = imports.find(({ endedAt }) => endedAt === null);
  const ended = imports.filter(({ endedAt }) => endedAt !== null);
  return html`<h1>${texts.title}</h1>
    ${noticeView(page.notice)} ${alertView(fault === undefined ? [] : [fault])}
    <p>${texts.about}</p>
    <p class="quiet">${texts.rules}</p>
    ${open ? openView(session, open, now) : uploadView(session, page)}
    ${
      ended.length > 0 &&
      html`<section aria-labelledby="earlier">
        <h2 id="earlier">${texts.earlier}</h2>
        ${ended.map((held) => html`<article>${stateView(held, now, "h3")}</article>`)}
      </section>`
    }`;
}

const MIB = 1024 ** 2;

export const mibOf = (bytes: number): number => Math.floor(bytes / MIB);

function uploadView(session: Session, { maxBytes }: ImportsPage): Html {
  const words = texts.upload;
  return html`<section aria-labelledby="upload">
    <h2 id="upload">${words.title}</h2>
    <form
      method="post"
      action="${IMPORTS}"
      class="stacked"
      enctype="multipart/form-data"
    >
      ${csrfField(session)}
      <p>
        ${choiceField("kind", words.kind, { "": words.byName, ...kindWords() })}
      </p>
      <p>
        <label for="file">${words.file}</label>
        <input
          id="file"
          name="file"
          type="file"
          accept=".zip,.gz,.tgz,.json,.csv"
          required
          aria-describedby="file-hint"
        />
        <small id="file-hint">${words.hint(mibOf(maxBytes))}</small>
      </p>
      <p class="actions"><button>${words.button}</button></p>
    </form>
  </section>`;
}

const kindWords = (): Record<string, string> =>
  Object.fromEntries(
    LIST_KINDS.map((kind) => [kind, texts.upload.kinds[kind]]),
  );

function openView(session: Session, held: HeldImport, now: Date): Html {
  const path = `${IMPORTS}/${held.id}`;
  const { state } = held;
  const act = (name: string, words: string) =>
    actForm(session, `${path}/${name}`, undefined, words);
  return html`<section aria-label="${held.fileName}">
    ${stateView(held, now, "h2")}
    ${state === "rehearsed" && act("start", texts.start)}
    ${STILL.includes(state) && act("start", texts.goOn)}
    ${canMove(held) && moveView(session, held)}
    ${held.moves && html`<p>${texts.move.asked}</p>`}
    ${state === "importing" && act("stop", texts.stop)}
    ${isMoving(held) && html`<p><a href="${IMPORTS}">${texts.reload}</a></p>`}
    ${act("delete", texts.remove)}
    ${held.report && html`<p class="quiet">${texts.removeHint}</p>`}
  </section>`;
}

/** Has the rehearsal shown that the account of the archive can move, and did nobody ask for it? */
const canMove = ({ state, moves, rehearsal }: HeldImport): boolean =>
  !moves &&
  ["interrupted", "rehearsed", "stopped"].includes(state) &&
  (rehearsal?.account?.added ?? 0) > 0;

function moveView(session: Session, { id, state }: HeldImport): Html {
  const words = texts.move;
  return html`<form
    method="post"
    action="${IMPORTS}/${id}/start"
    class="stacked"
    aria-labelledby="move"
  >
    <h3 id="move">${words.title}</h3>
    <p>${words.about}</p>
    ${csrfField(session)} ${proofField("move-password")}
    <p class="actions">
      <button>
        ${state === "rehearsed" ? words.button : words.buttonAgain}
      </button>
    </p>
  </form>`;
}

const isMoving = ({ state }: HeldImport): boolean =>
  ["receiving", "rehearsing", "importing"].includes(state);

/** They go on where they were. */
const STILL: readonly HeldImport["state"][] = ["interrupted", "stopped"];

function stateView(held: HeldImport, now: Date, level: "h2" | "h3"): Html {
  const { done, state, total, report, rehearsal, failure } = held;
  const name = html`<bdi translate="no">${held.fileName}</bdi>`;
  const isCounted = total > 0 && (isMoving(held) || STILL.includes(state));
  const shown = report ?? (state === "rehearsing" ? null : rehearsal);
  return html`${level === "h2" ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
    <p>${texts.states[state]} ${timeView(held.changedAt, now)}</p>
    ${failure !== null && html`<p lang="en" translate="no">${failure}</p>`}
    ${isCounted && progressView(done, total)}
    ${shown && importReportView(shown, report === null)}`;
}

function progressView(done: number, total: number): HtmlValue {
  const words = texts.progress(done, total);
  return html`<p>
    <progress max="${total}" value="${done}">${words}</progress> ${words}
  </p>`;
}
