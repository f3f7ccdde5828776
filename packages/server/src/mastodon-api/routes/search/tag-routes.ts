import type { UserId } from "../../../features/ids.ts";
import { KithError } from "../../../lib/errors.ts";
import { parseTag } from "../../../lib/markdown/tags.ts";
import { presentTag } from "../../entities/small.ts";
import {
  publicRoute,
  userRoute,
  type AnyCall,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { readAskedPage } from "../../kit/paging.ts";
import { notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

const ALL_TAGS = { offset: 0, limit: 200 };

/** The tags that a user follows. */
export async function listFollowed(
  { streams }: Pick<MastodonDeps, "streams">,
  userId: UserId,
): Promise<ReadonlySet<string>> {
  const followed = await streams.listFollowedTags(userId, ALL_TAGS);
  return new Set(followed.map(({ tag }) => tag));
}

/** @throws {KithError} `not_found` for what is no tag */
function tagOf({ path }: Pick<AnyCall, "path">): string {
  const tag = parseTag(path("name"));
  if (tag === undefined) throw notFound();
  return tag;
}

export function tagFollowingRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { site, streams } = deps;
  return [
    publicRoute({
      method: "GET",
      path: "/v1/tags/:name",
      scope: "read:follows",
      limit: "read",
      handle: async (call) => {
        const tag = tagOf(call);
        const followed =
          call.viewer && (await listFollowed(deps, call.viewer.userId));
        return presentTag(site, tag, followed?.has(tag));
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/tags/:name/follow",
      scope: "write:follows",
      limit: "write",
      handle: async (call) => {
        const { tag } = await streams.followTag(
          call.viewer.userId,
          tagOf(call),
        );
        return presentTag(site, tag, true);
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/tags/:name/unfollow",
      scope: "write:follows",
      limit: "write",
      handle: async (call) => {
        const tag = tagOf(call);
        const followed = await listFollowed(deps, call.viewer.userId);
        if (followed.has(tag)) await unfollow(deps, call.viewer.userId, tag);
        return presentTag(site, tag, false);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/followed_tags",
      scope: "read:follows",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, { usual: 100, most: 200 });
        const found = await streams.listFollowedTags(viewer.userId, page);
        link(
          page,
          found.map(({ id }) => id),
        );
        return found.map(({ tag }) => presentTag(site, tag, true));
      },
    }),
  ];
}

/** Two programs may do so at the same time. */
async function unfollow(
  { streams }: Pick<MastodonDeps, "streams">,
  userId: UserId,
  tag: string,
): Promise<void> {
  try {
    await streams.unfollowTag(userId, tag);
  } catch (error) {
    if (!(error instanceof KithError && error.code === "not_found"))
      throw error;
  }
}
