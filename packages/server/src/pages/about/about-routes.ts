import type { FastifyInstance, FastifyReply } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import { KithError } from "../../lib/errors.ts";
import { writtenView } from "../kit/components/written-view.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { aboutTexts as texts } from "../languages/texts.ts";
import { TERMS } from "../session/places.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { ABOUT, aboutView, PRIVACY, privacyPageView } from "./about-view.ts";

const HOUR_MS = 3_600_000;

type Page = { readonly title: string; readonly main: Html };

/** The server about itself: for people before they sign up, and for those who are here. */
export function aboutRoutes(app: FastifyInstance, context: PagesContext): void {
  const { clock, people, posts, comments } = context;
  const usage = createTtlCache(clock, HOUR_MS, async () => ({
    people: await people.countLocal(),
    posts: (await posts.countLocal()) + (await comments.countLocal()),
  }));
  const pages: readonly (readonly [string, () => Promise<Page>])[] = [
    [ABOUT, async () => showAbout(context, await usage.get())],
    [PRIVACY, () => showPrivacy(context)],
    [TERMS, () => showTerms(context)],
  ];
  for (const [path, show] of pages)
    app.get(
      path,
      { config: { access: "anyone", limit: "read" } },
      async (request, reply) => {
        const session = await findVisitor(context, request);
        return send(context, reply, session, path, await show());
      },
    );
}

function send(
  { baseUrl }: PagesContext,
  reply: FastifyReply,
  session: Session | undefined,
  path: string,
  { title, main }: Page,
): FastifyReply {
  return sendPage(reply, {
    head: { title, canonical: baseUrl + path },
    session,
    main: html`<h1>${title}</h1>
      ${main}`,
  });
}

async function showAbout(
  context: PagesContext,
  usage: { readonly people: number; readonly posts: number },
): Promise<Page> {
  const server = await context.serverProfile.get();
  return {
    title: texts.aboutServer(server.name || context.host),
    main: aboutView(server, {
      description: writtenView(server.description),
      rules: writtenView(server.rules),
      contact: await context.serverProfile.findContact(),
      usage,
    }),
  };
}

async function showPrivacy(context: PagesContext): Promise<Page> {
  const { privacy } = await context.serverProfile.get();
  return {
    title: texts.privacy,
    main: privacyPageView(writtenView(privacy)),
  };
}

/** @throws {KithError} `not_found` without terms */
async function showTerms(context: PagesContext): Promise<Page> {
  const { terms } = await context.serverProfile.get();
  if (terms === "") throw new KithError("not_found", "There are no terms.");
  return { title: texts.terms, main: html`${writtenView(terms)}` };
}
