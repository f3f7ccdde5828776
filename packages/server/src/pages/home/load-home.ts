import type { FastifyRequest } from "fastify";
import type { HomePost } from "../../features/homes/index.ts";
import type { Page } from "../../features/page.ts";
import type { Author, Post } from "../../features/posts/index.ts";
import type { Html } from "../kit/html.ts";
import { readKeyedPart, type Part } from "../kit/page-input.ts";
import type { Acting } from "../posts/act-view.ts";
import { loadAnswerViews } from "../posts/load-comments.ts";
import { postViews } from "../posts/post-view.ts";
import type { PagesContext } from "../session/visitor.ts";
import { homePath, type HomeView } from "./home-choice.ts";
import { loadReshared } from "./reshared-view.ts";

const PAGE_SIZE = 20;

/** The posts and comments of a page, and the key of the newest if it is the first page. */
export type LoadedHome = {
  readonly posts: Part<Html>;
  readonly newest: number | undefined;
};

/** Reads the page of a list that the request selects. */
export async function loadHome(
  context: PagesContext,
  request: FastifyRequest,
  view: HomeView,
  acting: Acting,
): Promise<LoadedHome> {
  const { user } = acting.session;
  const list = { path: homePath(view), size: PAGE_SIZE } as const;
  const part = await readKeyedPart(
    request,
    { ...list, order: "newest first" },
    (page) => readHome(context, user, view, page),
  );
  const introduced = await loadReshared(
    context.people,
    part.items.flatMap(({ inHome }) => (inHome?.comment ? [] : (inHome ?? []))),
  );
  const replies = part.items.flatMap(({ post, inHome }) =>
    inHome?.comment ? { comment: inHome.comment, post } : [],
  );
  const posts = part.items.flatMap((it) => (it.inHome?.comment ? [] : it.post));
  const [shown, answers] = await Promise.all([
    postViews(context, posts, user, acting, { context: "home", introduced }),
    loadAnswerViews(context, replies, { session: acting.session, acting }),
  ]);
  const views = new Map(posts.map(({ id }, at) => [id, shown[at]]));
  const items = part.items.flatMap(({ post, inHome }) => {
    const view = inHome?.comment
      ? answers.get(inHome.comment.id)
      : views.get(post.id);
    return view ?? [];
  });
  const isFirst = part.previous === undefined;
  const newest = isFirst ? (part.items[0]?.id ?? 0) : undefined;
  return { posts: { ...part, items }, newest };
}

/** A post in a list, and the key of its place there. */
type Listed = {
  readonly id: number;
  readonly post: Post;
  /** With its reshares, or the comment on it, in a home or an aspect. */
  readonly inHome?: HomePost;
};

/** Counts the posts of a list after a place; no more than a page of them. */
export async function countNews(
  context: PagesContext,
  user: Author,
  view: HomeView,
  after: number,
): Promise<number> {
  const page = { offset: 0, limit: PAGE_SIZE, after };
  return (await readHome(context, user, view, page)).length;
}

async function readHome(
  { homes, posts, streams }: PagesContext,
  user: Author,
  { tab, reshares, replies }: HomeView,
  page: Page,
): Promise<readonly Listed[]> {
  switch (tab.kind) {
    case "home":
    case "aspect": {
      const aspectIds = tab.kind === "aspect" ? [tab.aspectId] : [];
      const choice = { aspectIds, reshares, replies };
      const found = await homes.list(user, choice, page);
      return found.map((inHome) => ({ ...inHome, inHome }));
    }
    case "tags":
      return found(await streams.listFollowedPosts(user, page));
    case "here":
      return found(await posts.listPublic(user, { from: "here" }, page));
    case "all":
      return found(await posts.listStream(user, "all", page));
  }
}

function found(posts: readonly Post[]): Listed[] {
  return posts.map((post) => ({ id: post.id, post }));
}
