import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { isGuid } from "../../lib/guids.ts";
import {
  actingOn,
  postPath,
  writeCommentView,
  type Answered,
  type CommentDraft,
} from "./act-view.ts";
import {
  commentsView,
  lonelyReshareView,
  type CommentedPost,
} from "./comments-view.ts";
import { loadThreadSurroundings } from "./load-comments.ts";
import { loadThread, type ShownThread } from "./load-thread.ts";
import { html, type Html } from "../kit/html.ts";
import { detailLinksView, unreadCommentsLink } from "./detail-links.ts";
import { headOf } from "./post-head.ts";
import { reactingPeopleView } from "./reactions-view.ts";
import { postViews } from "./post-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { heldTexts } from "../languages/texts.ts";

/** The people named who reacted to a post; more of them are counted. */
const REACTING = { offset: 0, limit: 50 } as const;

const ANSWER = Type.Object({
  answer: text("The Guid of the comment to answer"),
});

export function postRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { guid: string } }>(
    "/posts/:guid",
    { config: { access: "viewer", limit: "read", mayBeOld: true } },
    async (request, reply) => {
      const { guid } = request.params;
      if (!isGuid(guid)) throw new KithError("not_found", "No such post.");
      void reply.header("vary", "Accept, Cookie");
      if (await context.activityPub?.sendPost(request, reply, guid))
        return reply;
      const session = await findVisitor(context, request);
      const { answer } = readInput(ANSWER, request.parameters);
      const draft = { text: "", parentGuid: answer };
      return sendPostPage(context, request, reply, { guid, session, draft });
    },
  );
}

/**
 * Sends the page of a post, with the form for a comment.
 * @throws {KithError} `not_found` for a post that the visitor may not see, or a
 *   draft that answers no comment on it
 */
export async function sendPostPage(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: {
    readonly guid: string;
    readonly session: Session | undefined;
    readonly draft: CommentDraft;
    readonly status?: number;
    /** Why a vote in its poll was not counted. */
    readonly voteFault?: string;
  },
): Promise<FastifyReply> {
  const { guid, session, draft, voteFault, status = 200 } = shown;
  const viewer = session?.user ?? null;
  const post = await context.posts.findVisible({ guid }, viewer);
  if (!post) throw new KithError("not_found", "No such post.");
  const author = await context.people.find({ id: post.personId });
  const answered = await findAnswered(context, post, draft.parentGuid, viewer);
  const acting = actingOn(session, request, postPath(guid));
  const voting = acting && voteFault ? { ...acting, voteFault } : acting;
  const [view] = await postViews(context, [post], viewer, voting, {
    isWhole: true,
  });
  const head = await headOf(context, post, author);
  const thread = await loadThread(context, request, post, viewer);
  return sendPage(reply, {
    status,
    head,
    session,
    main: await postPageView(
      context,
      {
        ...{ title: head.title, post: view, hasDraft: draft.text !== "" },
        form: writeCommentView(session, post, draft, answered),
      },
      thread,
      { session, post, acting },
    ),
  });
}

/**
 * A post, or what it announces, with its comments.
 * @param page `form` is that for a new comment, `hasDraft` whether something is written in it
 */
export async function postPageView(
  context: PagesContext,
  {
    title,
    post,
    form,
    hasDraft = false,
  }: Record<"post", Html | undefined> & {
    readonly title: string;
    readonly form: Html;
    readonly hasDraft?: boolean;
  },
  thread: ShownThread,
  on: CommentedPost,
): Promise<Html> {
  const of = { type: "Post", id: on.post.id } as const;
  const viewer = on.session?.user ?? null;
  const [around, reacting, links] = await Promise.all([
    loadThreadSurroundings(context, thread, on),
    context.reactions.listTo(of, viewer, REACTING),
    detailLinksView(context, on),
  ]);
  const people = await context.people.listById(
    reacting.map(({ personId }) => personId),
  );
  const isOwn = viewer?.personId === on.post.personId && !on.post.public;
  const waits = isOwn && (await context.heldTexts.isWaiting(on.post.id));
  const shown = html`${waits && html`<p role="note">${heldTexts.postWaits}</p>`}
  ${post} ${reactingPeopleView(reacting, people)} ${links}`;
  const isLonely = on.post.type === "reshare" && thread.part.items.length === 0;
  if (isLonely && !hasDraft) {
    const root = await context.posts.findVisible(
      { guid: on.post.rootGuid ?? "" },
      viewer,
    );
    return lonelyReshareView(title, shown, on, root);
  }
  const unread = await unreadCommentsLink(context, on.session, on.post);
  return commentsView(context, title, shown, thread, around, { form, unread });
}

/** The comment on the post that a draft answers. */
async function findAnswered(
  { comments, people }: PagesContext,
  post: Post,
  guid: string | undefined,
  viewer: Viewer,
): Promise<Answered | undefined> {
  if (guid === undefined || viewer === null) return undefined;
  const comment = isGuid(guid)
    ? await comments.findVisible({ guid }, viewer)
    : undefined;
  if (comment?.postId !== post.id)
    throw new KithError("not_found", "No such comment on that post.");
  return { comment, author: await people.find({ id: comment.personId }) };
}
