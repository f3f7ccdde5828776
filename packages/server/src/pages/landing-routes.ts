import type { FastifyInstance } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import { html, type Html } from "./kit/html.ts";
import { sendPage } from "./kit/send-page.ts";
import { pageTexts } from "./languages/texts.ts";
import { findVisitor, type PagesContext } from "./session/visitor.ts";

const texts = pageTexts.landing;

/**
 * The start page. Always 200 and never a redirect to another host: diaspora*
 * servers check it to learn whether this one is up.
 */
export function landingRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    "/",
    { config: { access: "anyone", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      const title = texts.title(context.host);
      return sendPage(reply, {
        head: {
          title,
          canonical: `${context.baseUrl}/`,
          preview: { type: "website", title, description: texts.about },
        },
        session,
        main: html`<h1>${texts.heading}</h1>
          <p class="lead">${texts.about}</p>
          ${session ? welcomeBack(session, context) : invitation(context)}`,
      });
    },
  );
}

function welcomeBack({ user }: Session, { host }: PagesContext): Html {
  return html`<p>
      ${texts.signedInAs} <strong>${user.username}@${host}</strong>.
    </p>
    <p class="actions">
      <a class="button" href="/stream">${texts.toStream}</a>
    </p>`;
}

function invitation({ host, registration }: PagesContext): Html {
  const isOpen = registration !== "closed";
  return html`<p>
      ${isOpen && html`${texts.handles} <strong>${texts.handleExample}@${host}</strong>.`}
      ${registration === "approval" && texts.approval}
      ${registration === "closed" && texts.closed}
    </p>
    <p class="actions">
      ${
        isOpen &&
        html`<a class="button" href="/users/sign_up">${pageTexts.signUp}</a>`
      }
      <a class="${isOpen ? "button second" : "button"}" href="/users/sign_in"
        >${pageTexts.signIn}</a
      >
    </p>`;
}
