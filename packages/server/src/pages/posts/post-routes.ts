import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Comment } from "../../features/comments/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
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
import { commentsView, type CommentedPost } from "./comments-view.ts";
import { webAddress, type Html } from "../kit/html.ts";
import type { PageHead } from "../kit/layout.ts";
import { readPart, type Part } from "../kit/page-input.ts";
import { excerpt, findMentioned } from "./post-text.ts";
import { postViews } from "./post-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts } from "../languages/texts.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";

export const COMMENTS_PER_PAGE = 50;

const ANSWER = Type.Object({
  answer: text("The Guid of the comment to answer"),
});

export function postRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { guid: string } }>(
    "/posts/:guid",
    { config: { access: "viewer", limit: "read" } },
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
  },
): Promise<FastifyReply> {
  const { guid, session, draft, status = 200 } = shown;
  const viewer = session?.user ?? null;
  const post = await context.posts.findVisible({ guid }, viewer);
  if (!post) throw new KithError("not_found", "No such post.");
  const author = await context.people.find({ id: post.personId });
  const answered = await findAnswered(context, post, draft.parentGuid, viewer);
  const acting = actingOn(session, request, postPath(guid));
  const [view] = await postViews(context, [post], viewer, acting);
  const head = headOf(context, post, author);
  const comments = await readPart(request, COMMENTS_PER_PAGE, (page) =>
    context.comments.list(post.id, page, viewer),
  );
  return sendPage(reply, {
    status,
    head,
    session,
    main: await postPageView(context, head.title, view, comments, {
      ...{ session, post, acting },
      form: writeCommentView(session, post, draft, answered),
    }),
  });
}

/** A post, or what it announces, with its comments. */
export async function postPageView(
  context: PagesContext,
  title: string,
  post: Html | undefined,
  part: Part<Comment>,
  on: CommentedPost,
): Promise<Html> {
  const comments = part.items;
  const ids = comments.map(({ id }) => id);
  const by = on.session?.user.personId;
  const [people, likes, liked, mentioned] = await Promise.all([
    context.people.listById(comments.map(({ personId }) => personId)),
    context.likes.count("Comment", ids),
    by === undefined
      ? new Map<number, boolean>()
      : context.likes.listBy(by, "Comment", ids),
    findMentioned(
      context,
      comments.map(({ text }) => text),
    ),
  ]);
  const around = { people, mentioned, likes, liked, ...on };
  return commentsView(context, title, post, part, around);
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

/** A limited post has no metadata for crawlers. */
function headOf(
  { baseUrl, activityPub }: PagesContext,
  post: Post,
  author: Person | undefined,
): PageHead {
  const name = author ? displayName(author) : "";
  const isHere = author?.userId !== undefined && author.userId !== null;
  const title = pageTexts.post.titleBy(name);
  const page = `${baseUrl}/posts/${post.guid}`;
  if (!post.public) return { title, noindex: true };
  const objectUrl = isHere
    ? `${baseUrl}/api/v1/ap/object/${post.guid}`
    : (post.uri ?? undefined);
  const isShielded =
    author?.profile.nsfw === true || post.nsfw || post.warning !== null;
  const beginning = isShielded ? "" : excerpt(post.text, 70);
  return {
    title: beginning === "" ? title : `${name}: ${beginning}`,
    canonical: (isHere ? undefined : webAddress(post.url)) ?? page,
    activityPubUrl: activityPub && objectUrl,
    noindex: !isHere || !author.profile.searchable || !post.listed,
    preview: {
      type: "article",
      title,
      description: (isShielded ? "" : excerpt(post.text, 200)) || title,
    },
  };
}
