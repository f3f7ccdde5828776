import type {
  Contacts,
  FollowRequest,
} from "../../../features/contacts/index.ts";
import { getPerson } from "./people-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type FollowRequestsRoutesDeps = Pick<PresentPostsDeps, "people"> & {
  readonly contacts: Pick<Contacts, "requests" | "removeFollower">;
};

export function followRequestsRoutes(
  deps: FollowRequestsRoutesDeps,
): ApiRoute[] {
  const { requests } = deps.contacts;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:follows",
      name: "listFollowRequests",
      path: "/follow_requests",
      summary:
        "Lists the people who ask to follow you, newest first. They see nothing limited before you accept.",
      input: NO_INPUT,
      output: listOf("FollowRequest"),
      handle: async ({ user, page }) =>
        (await requests.list(user.userId, page)).map(presentRequest),
    }),
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "write:follows",
      name: "acceptAllFollowRequests",
      path: "/follow_requests/accept",
      summary: "Accepts all people who ask to follow you.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user }) => {
        await requests.acceptAll(user);
        return {};
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:follows",
      name: "acceptFollowRequest",
      path: "/follow_requests/:id/accept",
      summary: "Accepts a person, who follows you from now on.",
      input: NO_INPUT,
      output: one("Person"),
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        return presentPerson(await requests.accept(user, id));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:follows",
      name: "refuseFollowRequest",
      path: "/follow_requests/:id",
      summary:
        "Refuses a person, who may ask again. The refusal is sent over ActivityPub and shown on this server; diaspora* has no message for it.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        await requests.refuse(user, id);
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:follows",
      name: "removeFollower",
      path: "/people/:id/follower",
      summary:
        "Ends a person's follow of you; the person may follow again. That is sent over ActivityPub; diaspora* has no message for it.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        await deps.contacts.removeFollower(user, id);
        return {};
      },
    }),
  ];
}

function presentRequest({ person, createdAt }: FollowRequest): WireRecord {
  return { ...presentPerson(person), RequestedAt: createdAt };
}
