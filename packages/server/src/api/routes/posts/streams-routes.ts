import { Type } from "../../../lib/json-schema.ts";
import type { UserStreamId } from "../../../features/ids.ts";
import type { Streams } from "../../../features/streams/index.ts";
import { text } from "../../../http/input/input.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import {
  presentFollowedTag,
  presentUserStream,
} from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type StreamsRoutesDeps = PresentPostsDeps & {
  readonly streams: Streams;
};

const SAVE = Type.Object({
  name: text("What the user calls it"),
  tags: text("Tags, separated by commas, with # or without; at most 100"),
  people: text(
    "Handles, Guids or ids of people, separated by commas; at most 100",
  ),
  expression: text(
    "A regular expression (RE2 syntax) over the texts of posts, at most 1,000 characters. It looks at the newest 2,000 posts that the user may see, at fewer where they are long or it is large",
  ),
});

/** Custom streams: they include a post that matches any of their conditions. */
export function streamsRoutes(deps: StreamsRoutesDeps): ApiRoute[] {
  const { streams } = deps;
  const idOf = (part: string) => readIdOrNone(part) as UserStreamId;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:lists",
      name: "listStreams",
      path: "/users/streams",
      summary: "Lists your streams, newest first.",
      input: NO_INPUT,
      output: listOf("UserStream"),
      handle: async ({ user, page }) =>
        (await streams.list(user.userId, page)).map(presentUserStream),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:lists",
      name: "createStream",
      path: "/users/streams",
      summary: "Saves a stream.",
      input: SAVE,
      needs: ["name"],
      output: one("UserStream"),
      handle: async ({ user, input }) => {
        const { name, tags = "", people = "", expression = "" } = input;
        const stream = { name, tags, people, expression };
        return presentUserStream(await streams.save(user.userId, stream));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:lists",
      name: "deleteStream",
      path: "/users/streams/:id",
      summary: "Deletes a stream.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await streams.remove(user.userId, idOf(path("id")));
        return {};
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPostsOfStream",
      path: "/users/streams/:id/posts",
      isKept: true,
      summary:
        "Lists the posts of a stream, newest first: those with any of its tags, by any of its people, or matched by its expression.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, path, page, scope }) => {
        const id = idOf(path("id"));
        const { posts, isCut } = await streams.listPosts(user, id, page);
        if (isCut) scope.dontKeep();
        return presentPosts(deps, posts, user, { context: "home", scope });
      },
    }),
  ];
}

/** The tags that a user follows, and their posts. */
export function tagsRoutes(deps: StreamsRoutesDeps): ApiRoute[] {
  const { streams } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:follows",
      name: "listFollowedTags",
      path: "/tags",
      summary: "Lists the tags you follow, newest first.",
      input: NO_INPUT,
      output: listOf("FollowedTag"),
      handle: async ({ user, page }) =>
        (await streams.listFollowedTags(user.userId, page)).map(
          presentFollowedTag,
        ),
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPostsWithFollowedTags",
      path: "/tags/posts",
      isKept: true,
      summary: "Lists posts with any of the tags you follow, newest first.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, page, scope }) => {
        const found = await streams.listFollowedPosts(user, page);
        return presentPosts(deps, found, user, { context: "home", scope });
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:follows",
      name: "followTag",
      path: "/tags/:tag",
      summary: "Follows a tag, given with or without its #.",
      input: NO_INPUT,
      output: one("FollowedTag"),
      handle: async ({ user, path }) =>
        presentFollowedTag(await streams.followTag(user.userId, path("tag"))),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:follows",
      name: "unfollowTag",
      path: "/tags/:tag",
      summary: "Stops following a tag.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await streams.unfollowTag(user.userId, path("tag"));
        return {};
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPostsWithTag",
      path: "/tags/:tag/posts",
      isKept: true,
      summary: "Lists posts with a tag, newest first.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, path, page, scope }) => {
        const found = await streams.listTagged(path("tag"), user, page);
        return presentPosts(deps, found, user, { context: "public", scope });
      },
    }),
  ];
}
