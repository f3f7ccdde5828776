import type { UserId } from "../../../features/ids.ts";
import type { Scope } from "../../../features/oauth/index.ts";
import { parseTag } from "../../../lib/markdown/tags.ts";
import { presentTag, type OwnTag } from "../../entities/small.ts";
import { ignoreMissing } from "../../kit/ignore-missing.ts";
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

/** Finds out which tags a user follows and features. */
export async function readOwnTags(
  { featuredTags, streams }: Pick<MastodonDeps, "featuredTags" | "streams">,
  userId: UserId,
): Promise<(tag: string) => OwnTag> {
  const [followed, featured] = await Promise.all([
    streams.listFollowedTags(userId, ALL_TAGS),
    featuredTags.list(userId),
  ]);
  const isIn = (tags: readonly { readonly tag: string }[], wanted: string) =>
    tags.some(({ tag }) => tag === wanted);
  return (tag) => ({
    following: isIn(followed, tag),
    featuring: isIn(featured, tag),
  });
}

/** @throws {KithError} `not_found` for what is no tag */
function tagOf({ path }: Pick<AnyCall, "path">): string {
  const tag = parseTag(path("name"));
  if (tag === undefined) throw notFound();
  return tag;
}

/** Tags, and what users do with them. */
export function tagActRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { featuredTags, site, streams } = deps;
  const act = (name: string, scope: Scope, run: Act): MastodonRoute =>
    userRoute({
      method: "POST",
      path: `/v1/tags/:name/${name}`,
      scope,
      limit: "write",
      handle: async (call) => {
        const { userId } = call.viewer;
        const tag = tagOf(call);
        const before = (await readOwnTags(deps, userId))(tag);
        await run(userId, tag, before);
        return presentTag(site, tag, (await readOwnTags(deps, userId))(tag));
      },
    });
  return [
    publicRoute({
      method: "GET",
      path: "/v1/tags/:name",
      scope: "read:follows",
      limit: "read",
      handle: async (call) => {
        const tag = tagOf(call);
        const own =
          call.viewer && (await readOwnTags(deps, call.viewer.userId));
        return presentTag(site, tag, own?.(tag));
      },
    }),
    act("follow", "write:follows", (userId, tag) =>
      streams.followTag(userId, tag),
    ),
    act("unfollow", "write:follows", async (userId, tag, { following }) => {
      if (following) await ignoreMissing(streams.unfollowTag(userId, tag));
    }),
    // Doing so again changes nothing.
    act("feature", "write:accounts", async (userId, tag, { featuring }) => {
      if (!featuring) await featuredTags.add(userId, tag);
    }),
    act("unfeature", "write:accounts", async (userId, tag) => {
      const own = await featuredTags.list(userId);
      const found = own.find((it) => it.tag === tag);
      if (found) await ignoreMissing(featuredTags.remove(userId, found.id));
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
        const own = await readOwnTags(deps, viewer.userId);
        return found.map(({ tag }) =>
          presentTag(site, tag, { ...own(tag), following: true }),
        );
      },
    }),
  ];
}

type Act = (userId: UserId, tag: string, before: OwnTag) => Promise<unknown>;
