import type { FastifyRequest } from "fastify";
import type { Comment } from "../../features/comments/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Page } from "../../features/page.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import type { Html } from "../kit/html.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import type { Acting } from "../posts/act-view.ts";
import { loadAnswerViews } from "../posts/load-comments.ts";
import { postViews } from "../posts/post-view.ts";
import type { PagesContext } from "../session/visitor.ts";
import { postsTabView } from "./person-page-view.ts";
import { tabPath } from "./person-tabs.ts";

const PAGE_SIZE = 20;

/** A post of the person, or a comment by it. Their ids are of one space, by time. */
type Written =
  | { readonly id: number; readonly post: Post }
  | { readonly id: number; readonly comment: Comment };

/** The posts of a person together with its comments on those that the viewer may see. */
export async function repliesTab(
  context: PagesContext,
  request: FastifyRequest,
  person: Person,
  on: { readonly viewer: Viewer; readonly acting: Acting | undefined },
): Promise<Html> {
  const { viewer } = on;
  const path = tabPath(person, "replies");
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const part = await readKeyedPart(request, list, (page) =>
    listWritten(context, person, viewer, page),
  );
  const views = await viewsOf(context, part.items, on);
  return postsTabView({
    ...part,
    items: part.items.flatMap(({ id }) => views.get(id) ?? []),
  });
}

/** Both lists are read to the end of the page; what is beyond it is read with the next. */
async function listWritten(
  { comments, posts }: PagesContext,
  { id }: Person,
  viewer: Viewer,
  page: Page,
): Promise<Written[]> {
  const [written, answers] = await Promise.all([
    posts.listOf(id, viewer, page),
    comments.withoutHidden(viewer, page, (part) =>
      comments.listOf(id, viewer, part),
    ),
  ]);
  const all: Written[] = [
    ...written.map((post) => ({ id: post.id, post })),
    ...answers.map((comment) => ({ id: comment.id, comment })),
  ];
  const sorted = all.sort((one, other) => other.id - one.id);
  const { after, limit } = page;
  return after === undefined ? sorted.slice(0, limit) : sorted.slice(-limit);
}

async function viewsOf(
  context: PagesContext,
  written: readonly Written[],
  { viewer, acting }: { viewer: Viewer; acting: Acting | undefined },
): Promise<Map<number, Html>> {
  const posts = written.flatMap((it) => ("post" in it ? it.post : []));
  const answers = written.flatMap((it) => ("comment" in it ? it.comment : []));
  const shown = await postViews(context, posts, viewer, acting, {
    context: "account",
  });
  const ids = answers.map(({ postId }) => postId);
  const answered = await context.posts.listById(ids, viewer);
  const byId = new Map(answered.map((post) => [post.id, post]));
  const beside = answers.flatMap((comment) => {
    const post = byId.get(comment.postId);
    return post ? { comment, post } : [];
  });
  const on = { session: acting?.session, acting };
  const views = await loadAnswerViews(context, beside, on);
  return new Map<number, Html>([
    ...posts.flatMap(({ id }, at) =>
      shown[at] ? [[id, shown[at]] as const] : [],
    ),
    ...views,
  ]);
}
