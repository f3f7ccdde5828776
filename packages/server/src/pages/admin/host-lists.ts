import type {
  HostListImport,
  PlannedLine,
} from "../../features/host-policies/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { actForm, hiddenField, textAreaField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { tableView } from "../kit/list-view.ts";
import { timeView } from "../kit/time-view.ts";
import { adminTexts } from "../languages/texts.ts";
import type { AdminAct, AdminVisit, Outcome } from "./admin-page.ts";

const texts = adminTexts.hosts;

/** Bytes of a form with a list, encoded. */
export const LIST_BODY_LIMIT = 1_500_000;

const LIST = Type.Object({ list: text("A list of servers") });
const IMPORT = Type.Object({ id: text("The number of an import") });

const SHOWN_IMPORTS = 20;
const SHOWN_LINES = 1_000;

/** The forms for lists, and the imports so far. */
export async function hostListsView(visit: AdminVisit): Promise<Html> {
  const { context, session, mayAct } = visit;
  const { lists } = context.hostPolicies;
  const made = await lists.list({ offset: 0, limit: SHOWN_IMPORTS });
  const path = "/admin/hosts";
  return html`<section aria-labelledby="lists">
    <h2 id="lists">${texts.lists}</h2>
    <p>${texts.listsAbout}</p>
    ${
      mayAct &&
      actForm(
        session,
        `${path}/preview`,
        textAreaField("list", "", {
          ...{ label: texts.list, hint: texts.listHint, rows: 6 },
        }),
        texts.preview,
      )
    }
    <details>
      <summary>${texts.exported}</summary>
      <textarea readonly rows="8" aria-label="${texts.exported}">
${await lists.write()}</textarea>
    </details>
    ${made.length > 0 && importsView(visit, made)}
  </section>`;
}

function importsView(
  { context, session, mayAct }: AdminVisit,
  made: readonly HostListImport[],
): Html {
  const now = context.clock.now();
  const rows = made.map(({ id, byName, createdAt, changes, undoneAt }) => [
    timeView(createdAt, now),
    byName,
    String(changes.length),
    undoneAt !== null
      ? texts.undone
      : mayAct &&
        actForm(
          session,
          "/admin/hosts/undo",
          hiddenField("id", String(id)),
          texts.undo,
        ),
  ]);
  const { since, by, servers, action } = texts;
  return html`<h3>${texts.imports}</h3>
    ${tableView([since, by, servers, action], rows)}`;
}

const preview: AdminAct = async ({ context, request, session }) => {
  const { list = "" } = readInput(LIST, request.parameters);
  const lines = await readLines(() => context.hostPolicies.lists.preview(list));
  if (lines === undefined) return { fault: texts.noList };
  const changing = lines.filter(({ change }) => change);
  return {
    shown: html`${linesView(lines)}
    ${
      changing.length > 0 &&
      actForm(
        session,
        "/admin/hosts/apply",
        hiddenField("list", list),
        texts.apply(changing.length),
      )
    }`,
  };
};

const apply: AdminAct = async ({ context, by, request }) => {
  const { list = "" } = readInput(LIST, request.parameters);
  const done = await readLines(() =>
    context.hostPolicies.lists.apply(by, list),
  );
  return done === undefined
    ? { fault: texts.noList }
    : { done: "host_list_imported" };
};

const undo: AdminAct = async ({ context, by, request }): Promise<Outcome> => {
  const { id = "" } = readInput(IMPORT, request.parameters);
  if (!/^[1-9]\d{0,14}$/.test(id)) return { fault: texts.noImport };
  try {
    await context.hostPolicies.lists.undo(by, Number(id));
    return { done: "host_list_undone" };
  } catch (error) {
    if (error instanceof KithError) return { fault: texts.noImport };
    throw error;
  }
};

/** How the forms of lists act. */
export const HOST_LIST_ACTS = { preview, apply, undo };

/** @returns undefined for a text that is no list */
async function readLines<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KithError && error.code === "bad_request")
      return undefined;
    throw error;
  }
}

function linesView(lines: readonly PlannedLine[]): Html {
  const rows = lines
    .toSorted(
      (a, b) => Number(b.change !== undefined) - Number(a.change !== undefined),
    )
    .slice(0, SHOWN_LINES)
    .map(({ line, name, outcome, known }) => [
      String(line),
      name,
      texts.outcomes[outcome],
      ...(known
        ? [known.people, known.contacts, known.posts].map(String)
        : ["", "", ""]),
    ]);
  const { line, host, outcome, people, contacts, posts } = texts;
  return html`<h2>${texts.previewTitle}</h2>
    <p>${texts.previewAbout}</p>
    ${tableView([line, host, outcome, people, contacts, posts], rows)}
    ${lines.length > SHOWN_LINES && html`<p>${texts.moreLines}</p>`}`;
}
