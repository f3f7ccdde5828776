import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Writing } from "../../entities/status.ts";
import { ignoreMissing } from "../../kit/ignore-missing.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Scope } from "../../../features/oauth/index.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getOriginal } from "../../loading/find-writing.ts";
import { loadStatus } from "../../loading/load-statuses.ts";

type Act = (writing: Writing, user: SignedIn) => Promise<unknown>;

/** Favourites, boosts, bookmarks, pins and mutes of statuses. */
export function statusActRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { likes, bookmarks, threads } = deps;
  const act = (name: string, scope: Scope, run: Act): MastodonRoute =>
    userRoute({
      method: "POST",
      path: `/v1/statuses/:id/${name}`,
      scope,
      limit: "write",
      handle: async ({ id, viewer }) => {
        const writing = await getOriginal(deps, id(), viewer);
        await run(writing, viewer);
        return loadStatus(deps, writing, viewer);
      },
    });
  return [
    act("favourite", "write:favourites", (writing, user) =>
      likes.like(user, targetOf(writing), true),
    ),
    act("unfavourite", "write:favourites", (writing, user) =>
      unlikeIfLiked(deps, writing, user),
    ),
    act("bookmark", "write:bookmarks", ({ post, comment }, user) => {
      if (comment) throw invalid("A reply cannot be bookmarked");
      return bookmarks.add(user, post.id);
    }),
    act("unbookmark", "write:bookmarks", ({ post, comment }, user) =>
      comment
        ? Promise.resolve()
        : ignoreMissing(bookmarks.remove(user, post.id)),
    ),
    act("mute", "write:mutes", ({ post }, user) =>
      threads.mute(user, { id: post.id }),
    ),
    act("unmute", "write:mutes", ({ post }, user) =>
      threads.unmute(user, { id: post.id }),
    ),
    pinRoute(deps, "pin"),
    pinRoute(deps, "unpin"),
    reblogRoute(deps),
    unreblogRoute(deps),
  ];
}

/** Answers the original. Of one that the user may not see any more, nothing is shown. */
function unreblogRoute(deps: MastodonDeps): MastodonRoute {
  const { posts } = deps;
  return userRoute({
    method: "POST",
    path: "/v1/statuses/:id/unreblog",
    scope: "write:statuses",
    limit: "write",
    handle: async ({ id, viewer }) => {
      const hidden = await findHiddenReshare(deps, id(), viewer);
      if (hidden) {
        // Without its original, the reshare is an empty status of the user.
        const alone = { ...hidden, type: "post", rootGuid: null } as const;
        const shown = { post: alone, comment: null };
        const status = await loadStatus(deps, shown, viewer);
        await posts.receiveRetraction({ id: hidden.id }, viewer.personId);
        return status;
      }
      const writing = await getOriginal(deps, id(), viewer);
      const { post, comment } = writing;
      const reshare =
        comment === null &&
        (await posts.findReshareOf(post.guid, viewer.personId));
      if (reshare)
        await ignoreMissing(posts.deleteOrHide(viewer, reshare.guid));
      return loadStatus(deps, writing, viewer);
    },
  });
}

/**
 * The user's own reshare of a post that became hidden from the user, by the id of either.
 * @returns undefined where the original is seen, and where there is no such reshare
 */
async function findHiddenReshare(
  { posts }: MastodonDeps,
  id: number,
  { personId, ...user }: SignedIn,
): Promise<Post | undefined> {
  const given = await posts.find({ id: id as PostId });
  if (!given) return undefined;
  const guid = given.rootGuid ?? given.guid;
  const viewer = { ...user, personId };
  if (await posts.findVisible({ guid }, viewer)) return undefined;
  return posts.findReshareOf(guid, personId);
}

const targetOf = ({ post, comment }: Writing) =>
  comment ? { comment: { id: comment.id } } : { post: { id: post.id } };

/** A dislike is no favourite, and stays. */
async function unlikeIfLiked(
  { likes }: MastodonDeps,
  writing: Writing,
  user: SignedIn,
): Promise<void> {
  const { post, comment } = writing;
  const id = comment?.id ?? post.id;
  const type = comment ? "Comment" : "Post";
  const own = await likes.listBy(user.personId, type, [id]);
  if (own.get(id) === true)
    await ignoreMissing(likes.unlike(user, targetOf(writing)));
}

function pinRoute(deps: MastodonDeps, name: "pin" | "unpin"): MastodonRoute {
  const { pins } = deps;
  return userRoute({
    method: "POST",
    path: `/v1/statuses/:id/${name}`,
    scope: "write:accounts",
    limit: "write",
    handle: async ({ id, viewer }) => {
      const { post, comment } = await getOriginal(deps, id(), viewer);
      if (comment) throw invalid("A reply cannot be pinned");
      const changed =
        name === "pin"
          ? await pins.add(viewer, post.id)
          : await pins.remove(viewer, post.id);
      return loadStatus(deps, { post: changed, comment: null }, viewer);
    },
  });
}

/** Answers the reshare; doing it again answers the first one. */
function reblogRoute(deps: MastodonDeps): MastodonRoute {
  return userRoute({
    method: "POST",
    path: "/v1/statuses/:id/reblog",
    scope: "write:statuses",
    limit: "write",
    handle: async ({ id, input, viewer }) => {
      const isListed = isListedIn(input.filled("visibility"));
      const { post, comment } = await getOriginal(deps, id(), viewer);
      if (comment) throw invalid("A reply cannot be boosted");
      const reshare = await reshareOnce(deps, viewer, post.guid, isListed);
      return loadStatus(deps, { post: reshare, comment: null }, viewer);
    },
  });
}

/** Of several calls at once, one makes the reshare and all answer it. */
async function reshareOnce(
  { posts }: MastodonDeps,
  user: SignedIn,
  guid: string,
  isListed: boolean,
): Promise<Post> {
  const find = () => posts.findReshareOf(guid, user.personId);
  const known = await find();
  if (known) return known;
  try {
    return await posts.reshare(user, guid, isListed);
  } catch (error) {
    const made = await find();
    if (!made) throw error;
    return made;
  }
}

/**
 * Is the reshare in public lists? It is as public as its post, or in none of these. There is
 * none for fewer people, and a wider one than asked for would be a breach.
 * @throws {Refusal} for `private`, and for a word that is none
 */
function isListedIn(visibility: string | undefined): boolean {
  switch (visibility) {
    case undefined:
    case "public":
      return true;
    case "unlisted":
      return false;
    case "private":
      throw invalid("Boosts for followers alone do not exist here");
    default:
      throw invalid("Visibility is not included in the list");
  }
}
