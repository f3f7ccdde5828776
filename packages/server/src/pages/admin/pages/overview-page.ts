import { readInput, text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { html, type Html } from "../../kit/html.ts";
import type { AdminPage, AdminVisit } from "../admin-page.ts";
import { readSpan, statisticsView } from "../statistics-view.ts";
import { adminTexts } from "../../languages/texts.ts";

const texts = adminTexts.overview;

const SPAN = Type.Object({ span: text("hours, days or months") });

/** The open tasks, a line for each page that has some; and the server in numbers. */
export const overviewPage: AdminPage = {
  path: "/admin",
  get title() {
    return texts.title;
  },
  access: "moderator",
  show: async ({ context, pages, parameters }) => {
    const { waiting, dead } = await context.queue.count();
    const span = readSpan(readInput(SPAN, parameters).span);
    return html`<h2>${texts.waiting}</h2>
      ${await waitingView({ context, pages })}
      <h2>${texts.queue}</h2>
      <p>${texts.jobs(waiting, dead)}</p>
      ${await statisticsView(context.statistics, span)}`;
  },
};

async function waitingView({
  context,
  pages,
}: Pick<AdminVisit, "context" | "pages">): Promise<Html> {
  const counted = [];
  for (const { path, title, count } of pages)
    if (count) counted.push({ path, title, n: await count(context) });
  if (counted.every(({ n }) => n === 0)) return html`<p>${texts.nothing}</p>`;
  return html`<ul>
    ${counted
      .filter(({ n }) => n > 0)
      .map(
        ({ path, title, n }) =>
          html`<li><a href="${path}">${title}: ${n}</a></li>`,
      )}
  </ul>`;
}
