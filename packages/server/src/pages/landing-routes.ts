import type { FastifyInstance } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import type { PostId } from "../features/ids.ts";
import type { ShownServer } from "../features/server-profile/index.ts";
import { createTtlCache, type TtlCache } from "../lib/caching/ttl-cache.ts";
import { writtenView } from "./kit/components/written-view.ts";
import { html, type Html, type HtmlValue } from "./kit/html.ts";
import { sendPage } from "./kit/send-page.ts";
import { aboutTexts, pageTexts, setupTexts } from "./languages/texts.ts";
import { excerpt } from "./posts/post-text.ts";
import { postViews } from "./posts/post-view.ts";
import {
  ABOUT,
  contactSection,
  pictureView,
  previewOfServer,
  PRIVACY,
} from "./about/about-view.ts";
import { SETUP, TERMS } from "./session/places.ts";
import { findVisitor, type PagesContext } from "./session/visitor.ts";

const texts = pageTexts.landing;

/** The posts that are shown to visitors. */
const NEWEST = { offset: 0, limit: 5 } as const;
/** Some of them may be hidden. */
const MAX_CANDIDATES = 20;
const NEWEST_KEPT_MS = 10_000;

/**
 * The start page. Always 200 and never a redirect to another host: diaspora*
 * servers check it to learn whether this one is up.
 */
export function landingRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  // Anybody may ask for this page, and often.
  const newest = createTtlCache(context.clock, NEWEST_KEPT_MS, () =>
    context.posts.listNewestHere(MAX_CANDIDATES),
  );
  app.get(
    "/",
    { config: { access: "anyone", limit: "read", mayBeOld: true } },
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
          preview: {
            ...{ type: "website", title, description: about },
            image: previewOfServer(context, server),
          },
        },
        session,
        main: html`${pictureView(server)}
          <h1>${name || texts.heading}</h1>
          ${
            writtenView(description) ?? html`<p class="lead">${texts.about}</p>`
          }
          ${
            session
              ? welcomeBack(session, context)
              : await invitation(context, server)
          }
          <p>
            <a href="${ABOUT}">${aboutTexts.readRules}</a> ·
            <a href="${PRIVACY}">${aboutTexts.privacy}</a>
            ${server.terms !== "" && html` · <a href="${TERMS}">${aboutTexts.terms}</a>`}
          </p>
          ${!session && (await publicView(context, server, newest))}`,
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

/** The rules, who runs the server, and what is written here for everyone. */
async function publicView(
  context: PagesContext,
  server: ShownServer,
  newest: TtlCache<readonly PostId[]>,
): Promise<HtmlValue> {
  if (await context.accounts.isNew()) return undefined;
  const rules = writtenView(server.rules);
  const [contact, ids] = await Promise.all([
    context.serverProfile.findContact(),
    newest.get(),
  ]);
  // A post that is gone meanwhile is not shown.
  const posts = await context.posts.listSelected(
    null,
    { ids },
    NEWEST,
    "public",
  );
  const views = await postViews(context, posts, null);
  return html`${
    rules &&
    html`<details>
      <summary>${aboutTexts.rules}</summary>
      ${rules}
    </details>`
  }
  ${contactSection(contact, server)}
  ${
    views.length > 0 &&
    html`<section aria-labelledby="newest">
      <h2 id="newest">${aboutTexts.newest}</h2>
      ${views}
    </section>`
  }`;
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
