import type { ShownHit } from "../../../features/spam-rules/index.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { paginationView, tableView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import { spamTexts as texts } from "../../languages/texts.ts";
import type { AdminPage, AdminVisit } from "../admin-page.ts";

const LIST = { path: "", size: 100, order: "newest first" } as const;

/** The hits of rules against spam. */
export const spamLogPage: AdminPage = {
  path: "/admin/spam/log",
  get title() {
    return texts.logTitle;
  },
  access: "admin",
  show,
};

async function show({ context, request }: AdminVisit): Promise<Html> {
  const part = await readKeyedPart(request, LIST, (page) =>
    context.spamRules.listHits(page),
  );
  const now = context.clock.now();
  const rows = part.items.map((hit) => [
    ...[hit.rule, texts.doneActions[hit.action]],
    ...foundCells(hit, now),
  ]);
  const headings = [texts.rule, texts.done, ...foundHeadings()];
  return html`<p>${texts.logAbout}</p>
    ${rows.length === 0 ? html`<p>${texts.logNone}</p>` : tableView(headings, rows)}
    ${paginationView(part)}`;
}

export const foundHeadings = (): string[] => [
  ...[texts.when, texts.author, texts.host, texts.thing],
];

/** An address is shown as text: opening it would show its server that somebody did. */
export function foundCells(
  {
    at,
    handle,
    host,
    thing,
  }: Pick<ShownHit, "at" | "handle" | "host" | "thing">,
  now: Date,
): HtmlValue[] {
  return [timeView(at, now), handle, host, html`<code>${thing}</code>`];
}
