import { Type } from "../../../lib/json-schema.ts";
import {
  HOME_REPLIES,
  type HomeReplies,
  type Homes,
} from "../../../features/homes/index.ts";
import type { AspectId } from "../../../features/ids.ts";
import { flag } from "../../../http/input/input.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import { presentComments } from "./comments-routes.ts";
import { presentPerson } from "../../schemas/records.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { listOf } from "../../schemas/schemas.ts";

export type HomeRoutesDeps = PresentPostsDeps & { readonly homes: Homes };

const LIST = Type.Object({
  aspectID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description:
        "Only the members of this aspect, or several, and what you gave to it",
    }),
  ),
  reshares: flag(
    "false leaves out posts that are there only because of reshares",
  ),
  replies: Type.Optional(
    Type.String({
      enum: [...HOME_REPLIES],
      description:
        "Adds comments by the people of the list (without aspectID also your own) as entries of their own. followed: replies to people in your aspects; list: replies to members of the chosen aspects; all: replies to anybody. Each includes replies to oneself and to you. Default: none",
    }),
  ),
});

export function homeRoutes(deps: HomeRoutesDeps): ApiRoute[] {
  const { homes, people } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listHome",
      path: "/home",
      isKept: true,
      summary:
        "Lists the posts of the people in your aspects, those with tags you follow, and your own.",
      description:
        "Those that came to this server last come first, whenever they were written. A reshared post is there once, in the place of what brought it first: the post itself, or its first reshare. The parameters before and after take the HomeKey of a record: a program that goes on from there gets no post twice and misses none, also of those that come late. With replies, a record that has a Reply stands for that comment and is its post; the same post may be there more than once, and the keys are only for lists with replies. Comments are there if you may see the post and it may be in a list of yours, unless you muted its conversation, and only if their author was in an aspect of somebody here when they came.",
      input: LIST,
      output: listOf("HomePost"),
      errors: [404],
      handle: async ({ user, input, page, scope }) => {
        const { aspectID = [], reshares = true } = input;
        const replies = input.replies as HomeReplies | undefined;
        const aspectIds = aspectID as AspectId[];
        const choice = { aspectIds, reshares, replies };
        // A comment on any post may belong in it.
        if (replies !== undefined && replies !== "none") scope.dontKeep();
        const sources = await homes.findSources(user.userId);
        scope.listOnly(
          ({ authors, tags }) =>
            !authors.isDisjointFrom(sources.people) ||
            !tags.isDisjointFrom(sources.tags),
        );
        const found = await homes.list(user, choice, page);
        const shown = new Map(found.map(({ post }) => [post.id, post]));
        const written = found.flatMap(({ comment }) => comment ?? []);
        const [records, resharers, comments] = await Promise.all([
          presentPosts(deps, [...shown.values()], user, {
            ...{ context: "home", scope },
          }),
          people.listShown(found.flatMap((it) => it.resharedBy.people)),
          written.length === 0 ? [] : presentComments(deps, written, user),
        ]);
        const ids = [...shown.keys()];
        const posts = new Map(ids.map((id, index) => [id, records[index]]));
        const replied = new Map(
          written.map(({ id }, index) => [id, comments[index]]),
        );
        return found.map(({ id, post, comment, resharedBy }) => ({
          ...posts.get(post.id),
          HomeKey: id,
          ResharedBy: resharedBy.people.flatMap((id) => {
            const person = resharers.get(id);
            return person ? [presentPerson(person)] : [];
          }),
          ResharedByCount: resharedBy.count,
          ...(comment && { Reply: replied.get(comment.id) }),
        }));
      },
    }),
  ];
}
