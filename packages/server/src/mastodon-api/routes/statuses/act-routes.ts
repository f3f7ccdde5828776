import type { SignedIn } from "../../../features/accounts/index.ts";
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
    act("unreblog", "write:statuses", async ({ post, comment }, user) => {
      const reshare =
        comment === null &&
        (await deps.posts.findReshareOf(post.guid, user.personId));
      if (reshare) await deps.posts.deleteOrHide(user, reshare.guid);
    }),
  ];
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
  const { posts } = deps;
  return userRoute({
    method: "POST",
    path: "/v1/statuses/:id/reblog",
    scope: "write:statuses",
    limit: "write",
    handle: async ({ id, viewer }) => {
      const { post, comment } = await getOriginal(deps, id(), viewer);
      if (comment) throw invalid("A reply cannot be boosted");
      const reshare =
        (await posts.findReshareOf(post.guid, viewer.personId)) ??
        (await posts.reshare(viewer, post.guid));
      return loadStatus(deps, { post: reshare, comment: null }, viewer);
    },
  });
}
