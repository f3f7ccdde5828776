import { html, type Html } from "../../kit/html.ts";
import type { AdminPage, AdminVisit } from "../admin-page.ts";
import { adminTexts } from "../../languages/texts.ts";

const texts = adminTexts.overview;

/** The open tasks: a line for each page that has some. */
export const overviewPage: AdminPage = {
  path: "/admin",
  get title() {
    return texts.title;
  },
  access: "moderator",
  show: async ({ context, pages }) => {
    const { waiting, dead } = await context.queue.count();
    return html`<h2>${texts.waiting}</h2>
      ${await waitingView({ context, pages })}
      <h2>${texts.queue}</h2>
      <p>${texts.jobs(waiting, dead)}</p>`;
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
