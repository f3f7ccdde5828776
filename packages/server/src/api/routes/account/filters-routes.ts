import type { Static } from "typebox";
import type { FilterChoice, Filters } from "../../../features/filters/index.ts";
import type { FilterId } from "../../../features/ids.ts";
import { FILTER_ACTIONS } from "../../../features/visibility/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentFilter } from "../../schemas/filter-records.ts";
import { CONTEXT } from "../../schemas/schemas-filters.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type FiltersRoutesDeps = { readonly filters: Filters };

const SAVE = Type.Object({
  title: text("What you call it, at most 100 characters"),
  context: Type.Optional(
    Type.Array(CONTEXT, {
      description:
        "Where it applies: home (the stream, your streams and tags), notifications, public (public posts, and tags), thread (comments), account (the posts of a person)",
    }),
  ),
  action: Type.Optional(
    Type.String({
      enum: [...FILTER_ACTIONS],
      description:
        "warn adds the match to a post as Filtered; hide leaves the post out. warn where not said",
    }),
  ),
  keyword: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Words or phrases, found anywhere, in small and capital letters; at most 100 characters each",
    }),
  ),
  whole_word: Type.Optional(
    Type.Array(Type.String(), {
      description: "The same, found only where they are not a part of a word",
    }),
  ),
  until: text("Until when: RFC 3339, in the future. For good where not said"),
});

const EXAMPLE = {
  title: "No spoilers",
  context: ["home", "public"],
  action: "warn",
  keyword: ["finale"],
};

const idOf = (part: string) => readIdOrNone(part) as FilterId;

/** Words that a user does not want to read. */
export function filtersRoutes(deps: FiltersRoutesDeps): ApiRoute[] {
  const { filters } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:filters",
      name: "listFilters",
      path: "/filters",
      summary: "Lists your filters, newest first.",
      input: NO_INPUT,
      output: listOf("Filter"),
      handle: async ({ user, page }) =>
        (await filters.list(user.userId, page)).map(presentFilter),
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:filters",
      name: "showFilter",
      path: "/filters/:id",
      summary: "Shows a filter of yours.",
      input: NO_INPUT,
      output: one("Filter"),
      handle: async ({ user, path }) =>
        presentFilter(await filters.get(user.userId, idOf(path("id")))),
    }),
    ...savingRoutes(deps),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:filters",
      name: "deleteFilter",
      path: "/filters/:id",
      summary: "Deletes a filter of yours.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await filters.remove(user.userId, idOf(path("id")));
        return {};
      },
    }),
  ];
}

function savingRoutes({ filters }: FiltersRoutesDeps): ApiRoute[] {
  const choose = (input: Static<typeof SAVE>) =>
    readChoice(input, filters.readEnd(input.until));
  return [
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:filters",
      name: "createFilter",
      path: "/filters",
      summary:
        "Filters posts and comments with certain words from what you read.",
      description:
        "It looks at texts, warnings, descriptions of pictures, polls and events, never at what you wrote yourself. You can have 50 filters with 100 keywords in all. Bookmarks, search and private messages are not filtered, and counts stay as they are.",
      input: SAVE,
      needs: ["title"],
      example: EXAMPLE,
      output: one("Filter"),
      handle: async ({ user, input }) =>
        presentFilter(await filters.save(user.userId, choose(input))),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:filters",
      name: "changeFilter",
      path: "/filters/:id",
      summary: "Replaces everything in a filter of yours.",
      description: "Keywords that stay keep their IDs.",
      input: SAVE,
      needs: ["title"],
      example: EXAMPLE,
      output: one("Filter"),
      handle: async ({ user, input, path }) => {
        const id = idOf(path("id"));
        return presentFilter(
          await filters.save(user.userId, choose(input), id),
        );
      },
    }),
  ];
}

function readChoice(
  input: Static<typeof SAVE>,
  endsAt: FilterChoice["endsAt"],
): FilterChoice {
  const { title = "", context = [], keyword = [], action } = input;
  const whole = input.whole_word ?? [];
  return {
    title,
    contexts: context as FilterChoice["contexts"],
    action: FILTER_ACTIONS.find((it) => it === action) ?? "warn",
    keywords: [
      ...keyword.map((it) => ({ keyword: it, wholeWord: false })),
      ...whole.map((it) => ({ keyword: it, wholeWord: true })),
    ],
    endsAt,
  };
}
