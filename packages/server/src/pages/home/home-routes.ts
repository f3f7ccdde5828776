import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { announcementsView } from "../announcements/announcement-view.ts";
import { composeView } from "../compose/compose-view.ts";
import {
  audienceOf,
  emptyDraft,
  POST_FIELDS,
  readDraft,
  type PostDraft,
} from "../compose/post-draft.ts";
import { publishDraft } from "../compose/publish-draft.ts";
import { addPostForm } from "../compose/receive-post-form.ts";
import type { AspectSummary } from "../../features/aspects/index.ts";
import type { Audience } from "../../features/audiences/index.ts";
import { readInput } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { html } from "../kit/html.ts";
import { writeOnce } from "../session/write-once.ts";
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
import {
  homePath,
  homeQuery,
  readHomeQuery,
  readHomeView,
  WHOLE_HOME,
  type HomeView,
} from "./home-choice.ts";
import { homeView } from "./home-view.ts";
import { loadHome } from "./load-home.ts";
import { loadSide } from "./side-view.ts";

const WRITTEN = Type.Object({ tab: POST_FIELDS.properties.tab });

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
    const draft = (own: readonly AspectSummary[]) =>
      draftFor(context, session, view, own);
    return sendHome(context, request, reply, session, draft, view);
  });
  app.get(OLD_HOME, { config }, (_, reply) => redirectTo(reply, HOME));
  for (const path of [HOME, OLD_HOME])
    addPostForm(app, context, {
      path,
      show: async ({ request, reply, session }, draft, status) => {
        const view = await writtenOn(context, request, session);
        return sendHome(context, request, reply, session, draft, view, status);
      },
      take: async ({ request, reply, session }, draft) => {
        const view = await writtenOn(context, request, session);
        const to = await writeOnce(context, request, session, (note) =>
          publishDraft(context, session.user, draft, note, homePath(view)),
        );
        await context.accounts.lastAudiences.keep(
          session,
          homeQuery(ofTab(view)),
          audienceOf(draft),
        );
        return redirectTo(reply, to);
      },
    });
}

/** The list on which the form of a request was, unless its aspect is gone. */
async function writtenOn(
  { aspects }: PagesContext,
  { parameters }: FastifyRequest,
  { user }: Session,
): Promise<HomeView> {
  const view = readHomeQuery(readInput(WRITTEN, parameters).tab ?? "");
  if (view.tab.kind !== "aspect") return view;
  const { aspectId } = view.tab;
  const own = await aspects.listSummaries(user.userId);
  return own.some(({ id }) => id === aspectId) ? view : WHOLE_HOME;
}

const ofTab = ({ tab }: HomeView): HomeView => ({ tab, reshares: true });

/** One writes to those to whom one wrote last on this tab; else, in an aspect, to the aspect. */
async function draftFor(
  { accounts }: PagesContext,
  session: Session,
  view: HomeView,
  own: readonly AspectSummary[],
): Promise<PostDraft> {
  const { tab } = view;
  const [{ audience, postLanguage }, last] = await Promise.all([
    accounts.getSettings(session.user.userId),
    accounts.lastAudiences.find(session, homeQuery(ofTab(view))),
  ]);
  const usual: Audience =
    tab.kind === "aspect"
      ? { kind: "aspects", aspectIds: [tab.aspectId] }
      : audience;
  return emptyDraft(stillThere(own, last) ?? usual, postLanguage);
}

/** Without the aspects that are gone; undefined if none is left. */
function stillThere(
  own: readonly AspectSummary[],
  audience: Audience | undefined,
): Audience | undefined {
  if (audience?.kind !== "aspects") return audience;
  const ids = new Set(own.map(({ id }) => id));
  const aspectIds = audience.aspectIds.filter((id) => ids.has(id));
  return aspectIds.length > 0 ? { kind: "aspects", aspectIds } : undefined;
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
  /** The content of the form, from the reader's aspects. */
  given: PostDraft | ((own: readonly AspectSummary[]) => Promise<PostDraft>),
  view: HomeView,
  status = 200,
): Promise<FastifyReply> {
  const { user } = session;
  const aspects = await context.aspects.listSummaries(user.userId);
  const acting = { session, to: pageOf(request, HOME) };
  const [{ posts, newest }, side, draft] = await Promise.all([
    loadHome(context, request, view, acting),
    loadSide(context, session, aspects),
    typeof given === "function" ? given(aspects) : given,
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
  ${composeView(session, aspects, draft, homeQuery(view))}`;
  return sendPage(reply, {
    status,
    head: { title: homeTexts.title, noindex: true },
    session,
    main: homeView(form, { view, aspects, tags, posts, newest }),
    side,
  });
}
