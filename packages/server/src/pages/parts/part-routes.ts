import { sendPart } from "../kit/send-page.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { agendaItemView, loadAnswers } from "../events/event-card.ts";
import { readHomeView } from "../home/home-choice.ts";
import { newsView } from "../home/home-view.ts";
import { countNews } from "../home/load-home.ts";
import type { Html } from "../kit/html.ts";
import { MAX_UNREAD, unreadView } from "../kit/navigation.ts";
import type { Acting } from "../posts/act-view.ts";
import { loadCommentView, loadThreadView } from "../posts/load-comments.ts";
import { loadThread } from "../posts/load-thread.ts";
import { postPart } from "../posts/post-view.ts";
import { readReturnTarget } from "../session/return-target.ts";
import { findSessionOf, type PagesContext } from "../session/visitor.ts";
import { readAs } from "../languages/reader.ts";

const ACTED = Type.Object({
  to: text("The page that holds the part, to which its forms lead back"),
});

const NEWS = Type.Object({
  after: uint("The key of a post in the list: only later ones count"),
});

/** Loads a part that the visitor may see. */
type Load = (
  guid: string,
  acting: Acting,
  request: FastifyRequest,
) => Promise<Html | undefined>;

/**
 * The elements of pages that the script replaces one by one: after an act, and when they
 * have changed. Each is what the page itself would hold, by the same rules.
 */
export function partRoutes(app: FastifyInstance, context: PagesContext): void {
  const config = { access: "session", limit: "read" } as const;
  const loaders: readonly (readonly [string, Load])[] = [
    ["posts", (guid, acting) => loadPost(context, guid, acting)],
    ["comments", (guid, acting) => loadComment(context, guid, acting)],
    ["events", (guid, acting) => loadEvent(context, guid, acting)],
    [
      "threads",
      (guid, acting, request) => loadThreadOf(context, guid, acting, request),
    ],
  ];
  for (const [kind, load] of loaders)
    app.get<{ Params: { guid: string } }>(
      `/parts/${kind}/:guid`,
      { config },
      async (request, reply) => {
        const session = await getSession(context, request);
        const { to } = readInput(ACTED, request.parameters);
        const { guid } = request.params;
        const acting = { session, to: readReturnTarget(to) };
        const part = isGuid(guid)
          ? await load(guid, acting, request)
          : undefined;
        if (!part) throw new KithError("not_found", "No such part.");
        return sendPart(reply, part);
      },
    );
  app.get("/parts/unread", { config }, async (request, reply) => {
    const { user } = await getSession(context, request);
    return sendUnread(context, reply, user);
  });
  app.get("/parts/news", { config }, async (request, reply) => {
    const { user } = await getSession(context, request);
    const { after = 0 } = readInput(NEWS, request.parameters);
    const view = readHomeView(request.parameters);
    const count = await countNews(context, user, view, after);
    return sendPart(reply, newsView(view, after, count));
  });
}

/** @throws {KithError} `unauthorized`: a part leads nobody to the sign-in */
export async function getSession(
  context: PagesContext,
  request: FastifyRequest,
): Promise<Session> {
  const session = await findSessionOf(context, request);
  if (!session) throw new KithError("unauthorized", "A part needs a session.");
  readAs(session.settings);
  return session;
}

async function loadPost(
  context: PagesContext,
  guid: string,
  acting: Acting,
): Promise<Html | undefined> {
  const { user } = acting.session;
  const post = await context.posts.findVisible({ guid }, user);
  return post && postPart(context, post, user, acting);
}

async function loadComment(
  context: PagesContext,
  guid: string,
  acting: Acting,
): Promise<Html | undefined> {
  const { comments, posts } = context;
  const { session } = acting;
  const comment = await comments.findVisible({ guid }, session.user);
  const post =
    comment && (await posts.findVisible({ id: comment.postId }, session.user));
  return post && loadCommentView(context, comment, { session, post, acting });
}

async function loadThreadOf(
  context: PagesContext,
  guid: string,
  acting: Acting,
  request: FastifyRequest,
): Promise<Html | undefined> {
  const { session } = acting;
  const { user } = session;
  const post = await context.posts.findVisible({ guid }, user);
  if (!post) return undefined;
  const thread = await loadThread(context, request, post, user);
  return loadThreadView(context, thread, { session, post, acting });
}

async function loadEvent(
  context: PagesContext,
  guid: string,
  acting: Acting,
): Promise<Html | undefined> {
  const { user } = acting.session;
  const event = await context.events.findVisible({ guid }, user);
  if (!event) return undefined;
  const organizer = await context.people.find({ id: event.personId });
  return agendaItemView(event, organizer, {
    answers: await loadAnswers(context, [event.id], user),
    answering: acting,
    now: context.clock.now(),
  });
}

async function sendUnread(
  { notifications }: PagesContext,
  reply: FastifyReply,
  user: Session["user"],
): Promise<FastifyReply> {
  const unread = await notifications.countUnread(user, MAX_UNREAD + 1);
  return sendPart(reply, unreadView(unread));
}
