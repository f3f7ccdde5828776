import type { ShownHeldText } from "../../../features/held-texts/index.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { paginationView, tableView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import { heldTexts as texts } from "../../languages/texts.ts";
import type { AdminAct, AdminPage, AdminVisit } from "../admin-page.ts";
import { messageField } from "../pages/people-page.ts";
import { performAct } from "../perform-act.ts";

const PATH = "/admin/held";
/** Whole texts are read here. */
const LIST = { path: PATH, size: 20, order: "newest first" } as const;

const DECIDED = Type.Object({
  id: uint("A text that waits"),
  message: text("For its author, if that is somebody here"),
});

/** The texts that rules hold until a moderator decides. */
export const heldTextsPage: AdminPage = {
  path: PATH,
  get title() {
    return texts.title;
  },
  access: "moderator",
  keeps: ["id", "message"],
  count: ({ heldTexts }) => heldTexts.count(),
  show,
  acts: { release: deciding("approve"), refuse: deciding("refuse") },
};

function deciding(decision: "approve" | "refuse"): AdminAct {
  return async ({ context, by, parameters }) => {
    const { id = 0, message = "" } = readInput(DECIDED, parameters);
    return performAct(PATH, () =>
      context.heldTexts.decide(by, id, decision, message),
    );
  };
}

async function show(visit: AdminVisit): Promise<Html> {
  const part = await readKeyedPart(visit.request, LIST, (page) =>
    visit.context.heldTexts.list(page),
  );
  const headings = [texts.author, texts.text, texts.rule, texts.decision];
  return html`<p class="quiet">${texts.about}</p>
    ${
      part.items.length === 0
        ? html`<p>${texts.none}</p>`
        : tableView(
            headings,
            part.items.map((held) => rowOf(visit, held)),
          )
    }
    ${paginationView(part)}`;
}

function rowOf(visit: AdminVisit, held: ShownHeldText): HtmlValue[] {
  const { author, personId, createdAt, rule, isPublic, kind } = held;
  const now = visit.context.clock.now();
  return [
    html`<a href="/admin/people?id=${personId}"
      ><bdi>${author?.handle}</bdi></a
    >`,
    html`${texts.kinds[kind]}, ${isPublic ? texts.isPublic : texts.isLimited},
      ${timeView(createdAt, now)}
      ${held.warning !== null && html`<p dir="auto">${held.warning}</p>`}
      <pre class="evidence" dir="auto">${held.text}</pre>`,
    html`<bdi>${rule}</bdi>`,
    formsView(visit, held),
  ];
}

function formsView(
  { session, typed }: AdminVisit,
  { id, author }: ShownHeldText,
): Html {
  const draft = typed("refuse");
  const message = draft["id"] === String(id) ? draft["message"] : undefined;
  return html`${actForm(
    session,
    `${PATH}/release`,
    hiddenField("id", id),
    texts.release,
  )}
  ${actForm(
    session,
    `${PATH}/refuse`,
    [
      hiddenField("id", id),
      author?.userId != null && messageField(`refuse${id}`, message),
    ],
    texts.refuse,
  )}`;
}
