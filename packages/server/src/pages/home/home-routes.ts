import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { announcementsView } from "../announcements/announcement-view.ts";
import { composeView } from "../compose/compose-view.ts";
import {
  emptyDraft,
  readDraft,
  type PostDraft,
} from "../compose/post-draft.ts";
import { publishDraft } from "../compose/publish-draft.ts";
import { addPostForm } from "../compose/receive-post-form.ts";
import { html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { homeTexts, pageTexts as texts } from "../languages/texts.ts";
import { copyNotice } from "../offline/offline-view.ts";
import { pageOf } from "../posts/act-view.ts";
import { HOME } from "../session/places.ts";
import {
  signInPath,
  type FormDraft as KeptDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { readHomeView, WHOLE_HOME, type HomeView } from "./home-choice.ts";
import { homeView } from "./home-view.ts";
import { loadHome } from "./load-home.ts";
import { loadSide } from "./side-view.ts";

/** The tags that are named above their posts. */
const TAGS_SHOWN = 30;

/** Its old name: links and open pages still lead there. */
export const OLD_HOME = "/stream";

export function homePageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  app.get(HOME, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const view = readHomeView(request.parameters);
    const draft = await draftFor(context, session, view);
    return sendHome(context, request, reply, session, draft, view);
  });
  app.get(OLD_HOME, { config }, (_, reply) => redirectTo(reply, HOME));
  for (const path of [HOME, OLD_HOME])
    addPostForm(app, context, {
      path,
      show: ({ request, reply, session }, draft, status) =>
        sendHome(context, request, reply, session, draft, WHOLE_HOME, status),
      take: async ({ reply, session }, draft) => {
        await publishDraft(context, session.user, draft);
        return redirectTo(reply, HOME);
      },
    });
}

/** In an aspect one writes to the aspect. */
async function draftFor(
  { accounts }: PagesContext,
  { user }: Session,
  { tab }: HomeView,
): Promise<PostDraft> {
  const settings = await accounts.getSettings(user.userId);
  const { audience, postLanguage } = settings;
  return emptyDraft(
    tab.kind === "aspect"
      ? { kind: "aspects", aspectIds: [tab.aspectId] }
      : audience,
    postLanguage,
  );
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumePost(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: KeptDraft,
): Promise<FastifyReply> {
  const draft = { ...readDraft(kept), fault: texts.write.signedOut };
  return sendHome(context, request, reply, session, draft, WHOLE_HOME);
}

async function sendHome(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: PostDraft,
  view: HomeView,
  status = 200,
): Promise<FastifyReply> {
  const { user } = session;
  const aspects = await context.aspects.list(user.userId);
  const acting = { session, to: pageOf(request, HOME) };
  const [{ posts, newest }, side] = await Promise.all([
    loadHome(context, request, view, acting),
    loadSide(context, session, aspects),
  ]);
  const followed =
    view.tab.kind === "tags"
      ? await context.streams.listFollowedTags(user.userId, {
          ...{ offset: 0, limit: TAGS_SHOWN },
        })
      : [];
  const tags = followed.map(({ tag }) => tag);
  const form = html`${request.url === HOME && copyNotice(context.clock.now())}
  ${await announcementsView(context, session)}
  ${composeView(session, aspects, draft)}`;
  return sendPage(reply, {
    status,
    head: { title: homeTexts.title, noindex: true },
    session,
    main: homeView(form, { view, aspects, tags, posts, newest }),
    side,
  });
}
