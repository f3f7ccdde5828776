import type { FastifyInstance } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import type { ShownServer } from "../features/server-profile/index.ts";
import { html, type Html } from "./kit/html.ts";
import { sendPage } from "./kit/send-page.ts";
import { pageTexts, setupTexts } from "./languages/texts.ts";
import { excerpt } from "./posts/post-text.ts";
import { ABOUT, writtenView } from "./setup/about-routes.ts";
import { SETUP } from "./setup/setup-routes.ts";
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
      const server = await context.serverProfile.get();
      const { name, description } = server;
      const title = texts.title(name || context.host);
      const about = excerpt(description, 200) || texts.about;
      return sendPage(reply, {
        head: {
          title,
          canonical: `${context.baseUrl}/`,
          preview: { type: "website", title, description: about },
        },
        session,
        main: html`<h1>${name || texts.heading}</h1>
          ${
            (await writtenView(context, description)) ??
            html`<p class="lead">${texts.about}</p>`
          }
          ${
            session
              ? welcomeBack(session, context)
              : await invitation(context, server)
          }
          <p><a href="${ABOUT}">${setupTexts.readRules}</a></p>`,
      });
    },
  );
}

function welcomeBack({ user }: Session, { host }: PagesContext): Html {
  return html`<p>
      ${texts.signedInAs} <strong>${user.username}@${host}</strong>.
    </p>
    <p class="actions">
      <a class="button" href="/home">${texts.toHome}</a>
    </p>`;
}

async function invitation(
  { accounts, host }: PagesContext,
  { signUp }: ShownServer,
): Promise<Html> {
  if (await accounts.isNew())
    return html`<p>${setupTexts.about}</p>
      <p class="actions">
        <a class="button" href="${SETUP}" rel="nofollow"
          >${setupTexts.toSetup}</a
        >
      </p>`;
  const isOpen = signUp !== "closed";
  return html`<p>
      ${isOpen && html`${texts.handles} <strong>${texts.handleExample}@${host}</strong>.`}
      ${signUp === "approval" && texts.approval}
      ${signUp === "closed" && texts.closed}
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
