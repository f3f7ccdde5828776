import type { FastifyInstance } from "fastify";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { setupTexts as texts } from "../languages/texts.ts";
import { findMentioned, renderPostText } from "../posts/post-text.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";

export const ABOUT = "/about";

/** The description and the rules of the server. */
export function aboutRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    ABOUT,
    { config: { access: "anyone", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      const { name, description, rules } = await context.serverProfile.get();
      const title = texts.aboutServer(name || context.host);
      return sendPage(reply, {
        head: { title, canonical: context.baseUrl + ABOUT },
        session,
        main: html`<h1>${title}</h1>
          ${await writtenView(context, description)}
          <section aria-labelledby="rules">
            <h2 id="rules">${texts.rules}</h2>
            ${
              rules === ""
                ? html`<p class="quiet">${texts.noRules}</p>`
                : await writtenView(context, rules)
            }
          </section>
          <p>${texts.software} <a href="/api/docs">${texts.api}</a></p>`,
      });
    },
  );
}

/** A text of the admins, in Markdown. */
export async function writtenView(
  context: PagesContext,
  text: string,
): Promise<Html | undefined> {
  if (text === "") return undefined;
  const mentioned = await findMentioned(context, [text]);
  return html`<div class="text" dir="auto">
    ${renderPostText(context, text, mentioned)}
  </div>`;
}
