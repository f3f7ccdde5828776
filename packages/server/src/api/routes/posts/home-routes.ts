import { Type } from "../../../lib/json-schema.ts";
import type { Homes } from "../../../features/homes/index.ts";
import type { AspectId } from "../../../features/ids.ts";
import { flag } from "../../../http/input/input.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
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
        "Those that came to this server last come first, whenever they were written. A reshared post is there once, in the place of what brought it first: the post itself, or its first reshare. The parameters before and after take the HomeKey of a record: a program that goes on from there gets no post twice and misses none, also of those that come late.",
      input: LIST,
      output: listOf("HomePost"),
      errors: [404],
      handle: async ({ user, input, page, scope }) => {
        const { aspectID = [], reshares = true } = input;
        const choice = { aspectIds: aspectID as AspectId[], reshares };
        const sources = await homes.findSources(user.userId);
        scope.listOnly(
          ({ authors, tags }) =>
            !authors.isDisjointFrom(sources.people) ||
            !tags.isDisjointFrom(sources.tags),
        );
        const found = await homes.list(user, choice, page);
        const [records, resharers] = await Promise.all([
          presentPosts(
            deps,
            found.map(({ post }) => post),
            user,
            { context: "home", scope },
          ),
          people.listShown(found.flatMap((it) => it.resharedBy.people)),
        ]);
        return found.map(({ id, resharedBy }, index) => ({
          ...records[index],
          HomeKey: id,
          ResharedBy: resharedBy.people.flatMap((id) => {
            const person = resharers.get(id);
            return person ? [presentPerson(person)] : [];
          }),
          ResharedByCount: resharedBy.count,
        }));
      },
    }),
  ];
}
