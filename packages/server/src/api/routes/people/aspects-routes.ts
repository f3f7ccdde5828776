import { Type } from "../../../lib/json-schema.ts";
import type { Aspect, Aspects } from "../../../features/aspects/index.ts";
import type { AspectId } from "../../../features/ids.ts";
import { slicePage, type Page } from "../../../features/page.ts";
import type { People } from "../../../features/people/index.ts";
import { flag, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { getPerson } from "./people-routes.ts";
import {
  presentAspect,
  presentMembership,
  type WireRecord,
} from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const ASPECT = Type.Object({
  name: text("The name of the aspect"),
  aspect_name: text("Another name of name"),
  exclusive: flag("Are the posts of its members left out of the home?"),
});

export type AspectsRoutesDeps = {
  readonly aspects: Aspects;
  readonly people: People;
};

export function aspectsRoutes(deps: AspectsRoutesDeps): ApiRoute[] {
  return [...ownAspects(deps), ...memberships(deps)];
}

function ownAspects({ aspects }: AspectsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:lists",
      name: "listAspects",
      path: "/aspects",
      summary: "Lists your aspects, newest first.",
      input: NO_INPUT,
      output: listOf("Aspect"),
      handle: async ({ user, page }) => {
        const list = await aspects.list(user.userId);
        return presentPage(list, page);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:lists",
      name: "createAspect",
      path: "/aspects",
      summary: "Creates an aspect.",
      input: ASPECT,
      needs: [["name", "aspect_name"]],
      output: one("Aspect"),
      handle: async ({ user, input: { name, aspect_name = "", exclusive } }) =>
        presentAspect(
          await aspects.create(
            user.userId,
            name ?? aspect_name,
            exclusive === undefined ? undefined : { exclusive },
          ),
        ),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:lists",
      name: "renameAspect",
      path: "/aspects/:id",
      summary: "Renames an aspect, or changes whether it is exclusive.",
      input: ASPECT,
      needs: [["name", "aspect_name", "exclusive"]],
      output: one("Aspect"),
      handle: async ({ user, path, input: { name, aspect_name, exclusive } }) =>
        presentAspect(
          await aspects.change(
            user.userId,
            readIdOrNone(path("id")) as AspectId,
            { name: name ?? aspect_name, exclusive },
          ),
        ),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:lists",
      name: "deleteAspect",
      path: "/aspects/:id",
      summary: "Deletes an aspect.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await aspects.remove(user, readIdOrNone(path("id")) as AspectId);
        return {};
      },
    }),
  ];
}

/** @param list oldest first */
function presentPage(list: readonly Aspect[], page: Page): WireRecord[] {
  return slicePage(list.toReversed(), page).map(presentAspect);
}

function memberships(deps: AspectsRoutesDeps): ApiRoute[] {
  const { aspects } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:lists",
      name: "listAspectsOfPerson",
      path: "/people/:id/aspects",
      summary: "Lists those of your aspects that a person is in, newest first.",
      input: NO_INPUT,
      output: listOf("Aspect"),
      handle: async ({ user, path, page }) => {
        const person = await getPerson(deps, path("id"));
        const list = await aspects.listHolding(user.userId, person.id);
        if (list.length === 0)
          throw new KithError("not_found", "In no aspect of the user.");
        return presentPage(list, page);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:follows",
      name: "addPersonToAspect",
      path: "/people/:id/aspects/:aspect_id",
      summary: "Adds a person to an aspect.",
      input: NO_INPUT,
      output: one("Membership"),
      handle: async ({ user, path }) => {
        const person = await getPerson(deps, path("id"));
        const aspectId = readIdOrNone(path("aspect_id")) as AspectId;
        return presentMembership(
          await aspects.addPerson(user, aspectId, person.id),
        );
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:follows",
      name: "removePersonFromAspect",
      path: "/people/:id/aspects/:aspect_id",
      summary: "Removes a person from an aspect.",
      input: NO_INPUT,
      output: one("Membership"),
      handle: async ({ user, path }) => {
        const person = await getPerson(deps, path("id"));
        const aspectId = readIdOrNone(path("aspect_id")) as AspectId;
        return presentMembership(
          await aspects.removePerson(user, aspectId, person.id),
        );
      },
    }),
  ];
}
