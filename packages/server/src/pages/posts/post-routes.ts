import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Comment } from "../../features/comments/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { commentsView } from "./comments-view.ts";
import { webAddress, type Html } from "../kit/html.ts";
import type { PageHead } from "../kit/layout.ts";
import { readPart, type Part } from "../kit/page-input.ts";
import { excerpt, findMentioned } from "./post-text.ts";
import { postViews } from "./post-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { englishPageTexts } from "../kit/texts.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";

const COMMENTS_PER_PAGE = 50;

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
      return sendPost(context, request, reply, guid);
    },
  );
}

async function sendPost(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  guid: string,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  const viewer = session?.user ?? null;
  const post = await context.posts.findVisible({ guid }, viewer);
  if (!post) throw new KithError("not_found", "No such post.");
  const author = await context.people.find({ id: post.personId });
  const [view] = await postViews(context, [post], viewer);
  const head = headOf(context, post, author);
  const comments = await readPart(request, COMMENTS_PER_PAGE, (page) =>
    context.comments.list(post.id, page, viewer),
  );
  return sendPage(reply, {
    head,
    session,
    main: await pageView(context, head.title, view, comments, {
      session,
      post,
    }),
  });
}

async function pageView(
  context: PagesContext,
  title: string,
  post: Html | undefined,
  part: Part<Comment>,
  on: { readonly session: Session | undefined; readonly post: Post },
): Promise<Html> {
  const comments = part.items;
  const [people, mentioned] = await Promise.all([
    context.people.listById(comments.map(({ personId }) => personId)),
    findMentioned(
      context,
      comments.map(({ text }) => text),
    ),
  ]);
  return commentsView(context, title, post, part, { people, mentioned, ...on });
}

/** A limited post has no metadata for crawlers. */
function headOf(
  { baseUrl, activityPub }: PagesContext,
  post: Post,
  author: Person | undefined,
): PageHead {
  const name = author ? displayName(author) : "";
  const isHere = author?.userId !== undefined && author.userId !== null;
  const title = englishPageTexts.post.titleBy(name);
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
