import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Comment, Comments } from "../comments/index.ts";
import type { AspectId, PostId } from "../ids.ts";
import { withoutHiddenPlaces } from "../visibility/index.ts";
import { isReadBackwards, type Page } from "../page.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import {
  listEntries,
  type EntryChoice,
  type HomeWindows,
} from "./list-entries.ts";
import type { PlaceArrivals } from "./place-arrivals.ts";
import type { HomeReplies } from "./reply-queries.ts";
import { listResharers, type Resharers } from "./resharer-queries.ts";

/** Which part of a home is listed. */
export type HomeChoice = {
  /** Only these of the user's aspects; the whole home if there are none. */
  readonly aspectIds: readonly AspectId[];
  /** Also posts that are there because somebody reshared them? */
  readonly reshares: boolean;
  /** Also comments by the people of the home; without it none. */
  readonly replies?: HomeReplies | undefined;
  /** The caller has found the aspects to be the user's. */
  readonly areOwn?: boolean;
  /** `false`: not who reshared each post, which is a query of its own. */
  readonly namesResharers?: boolean;
};

/** A post in a home. */
export type HomePost = {
  readonly post: Post;
  /** The comment on the post that is the entry; only with replies. */
  readonly comment?: Comment;
  /** Its place in the home, by which pages go on. Homes with replies have keys of their own. */
  readonly id: number;
  readonly resharedBy: Resharers;
  /** The post itself, or the reshare that brought it. */
  readonly broughtBy: PostId;
};

export type ListHomeDeps = {
  readonly db: Pick<Db, "read">;
  readonly posts: Pick<Posts, "listById">;
  readonly comments: Pick<Comments, "listById">;
  readonly aspects: Pick<Aspects, "findAll">;
  readonly place: PlaceArrivals;
  readonly placeComments: PlaceArrivals;
  readonly windows: HomeWindows;
};

const NOBODY: Resharers = { people: [], count: 0 };

/**
 * Lists one page of a user's home, the posts that came last first. Each post is there once,
 * in the place of what first brought it: itself, or the first reshare of it. The keys of
 * the page are the places of `HomePost`. Posts that a filter of the user hides are left out.
 * Comments stand in the order in which they came, each beside its post.
 * @throws {KithError} `not_found` for another's aspect
 */
export async function listHome(
  deps: ListHomeDeps,
  user: Author,
  choice: HomeChoice,
  page: Page,
): Promise<HomePost[]> {
  const { db, aspects } = deps;
  const { aspectIds, reshares, replies = "none", areOwn = false } = choice;
  const wanted = [...new Set(aspectIds)];
  if (wanted.length > 0 && !areOwn) {
    const own = await aspects.findAll(db.read, user.userId, wanted);
    if (own.length < wanted.length)
      throw new KithError("not_found", "No such aspect.");
  }
  await deps.place();
  if (replies !== "none") await deps.placeComments();
  const list = wanted.length > 0 ? JSON.stringify(wanted) : undefined;
  const namesResharers = reshares && choice.namesResharers !== false;
  return withoutHiddenPlaces(db.read, user, page, (part) =>
    listPlaces(deps, user, { list, reshares, replies, namesResharers }, part),
  );
}

async function listPlaces(
  deps: ListHomeDeps,
  user: Author,
  choice: EntryChoice & { readonly namesResharers: boolean },
  page: Page,
): Promise<HomePost[]> {
  const { db, posts, windows } = deps;
  const { read } = db;
  const found = await listEntries({ read, windows }, user, choice, page);
  const entries = isReadBackwards(page) ? found.reverse() : found;
  const ids = [...new Set(entries.map(({ postId }) => postId))];
  const commentIds = entries.flatMap(({ commentId }) => commentId ?? []);
  const [shown, resharers, comments] = await Promise.all([
    posts.listById(ids, user),
    choice.namesResharers
      ? listResharers(read, user, choice.list, ids)
      : undefined,
    deps.comments.listById(commentIds),
  ]);
  const byId = new Map(shown.map((post) => [post.id, post]));
  return entries.flatMap(({ postId, position: id, broughtBy, commentId }) => {
    const post = byId.get(postId);
    if (!post) return [];
    if (commentId === undefined) {
      const resharedBy = resharers?.get(postId) ?? NOBODY;
      return [{ post, id, resharedBy, broughtBy }];
    }
    const comment = comments.get(commentId);
    return comment
      ? [{ post, comment, id, resharedBy: NOBODY, broughtBy }]
      : [];
  });
}
