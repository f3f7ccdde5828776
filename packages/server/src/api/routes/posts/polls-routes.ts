import { Type } from "../../../lib/json-schema.ts";
import { getPost, presentOne } from "./posts-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { one } from "../../schemas/schemas.ts";

const VOTE = Type.Object({
  answer: Type.Optional(
    Type.Array(Type.String(), {
      description: "The Guid of an answer; several where the poll takes them",
    }),
  ),
});

export function pollsRoutes(deps: PresentPostsDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "vote",
      path: "/posts/:id/poll/votes",
      summary: "Votes in the poll of a post. A vote is final.",
      input: VOTE,
      needs: ["answer"],
      output: one("Post"),
      handle: async ({ user, path, input }) => {
        const post = await getPost(deps, path("id"), user);
        await deps.polls.vote(user, { id: post.id }, input.answer);
        return presentOne(deps, post, user);
      },
    }),
  ];
}
