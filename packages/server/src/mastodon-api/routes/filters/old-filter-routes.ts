import { presentOldFilter } from "../../entities/filter.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { findKeyword } from "./filter-routes.ts";
import { readContexts, readFilterEnd } from "./read-filter.ts";

const ALL = { offset: 0, limit: 100 };

/** The first version, in which each keyword is a filter of its own. */
export function oldFilterRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { filters } = deps;
  const path = "/v1/filters/:id";
  return [
    userRoute({
      method: "GET",
      path: "/v1/filters",
      scope: "read:filters",
      limit: "read",
      handle: async ({ viewer }) =>
        (await filters.list(viewer.userId, ALL)).flatMap((filter) =>
          filter.keywords.map((it) => presentOldFilter(filter, it)),
        ),
    }),
    userRoute({
      method: "POST",
      path: "/v1/filters",
      scope: "write:filters",
      limit: "write",
      handle: (call) => create(deps, call),
    }),
    userRoute({
      method: "GET",
      path,
      scope: "read:filters",
      limit: "read",
      handle: async ({ id, viewer }) => {
        const { filter, keyword } = await findKeyword(deps, viewer, id());
        return presentOldFilter(filter, keyword);
      },
    }),
    userRoute({
      method: "PUT",
      path,
      scope: "write:filters",
      limit: "write",
      handle: (call) => change(deps, call),
    }),
    userRoute({
      method: "DELETE",
      path,
      scope: "write:filters",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const { filter, keyword } = await findKeyword(deps, viewer, id());
        const keywords = filter.keywords.filter((it) => it.id !== keyword.id);
        if (keywords.length === 0)
          await filters.remove(viewer.userId, filter.id);
        else
          await filters.save(viewer.userId, { ...filter, keywords }, filter.id);
        return {};
      },
    }),
  ];
}

async function create(
  deps: MastodonDeps,
  { input, viewer }: UserCall,
): Promise<Entity> {
  const phrase = input.filled("phrase");
  if (phrase === undefined) throw invalid("Phrase can't be blank");
  const filter = await deps.filters.save(viewer.userId, {
    title: phrase,
    contexts: readContexts(input) ?? [],
    action: input.flag("irreversible") ? "hide" : "warn",
    endsAt: readFilterEnd(deps, input, null),
    keywords: [
      { keyword: phrase, wholeWord: input.flag("whole_word") ?? false },
    ],
  });
  const [keyword] = filter.keywords;
  if (!keyword) throw new Error("The new filter has no keyword");
  return presentOldFilter(filter, keyword);
}

async function change(
  deps: MastodonDeps,
  { id, input, viewer }: UserCall,
): Promise<Entity> {
  const { filter, keyword } = await findKeyword(deps, viewer, id());
  const irreversible = input.flag("irreversible");
  const changed = {
    id: keyword.id,
    keyword: input.filled("phrase") ?? keyword.keyword,
    wholeWord: input.flag("whole_word") ?? keyword.wholeWord,
  };
  const saved = await deps.filters.save(
    viewer.userId,
    {
      ...filter,
      contexts: readContexts(input) ?? filter.contexts,
      ...(irreversible !== undefined && {
        action: irreversible ? ("hide" as const) : ("warn" as const),
      }),
      endsAt: readFilterEnd(deps, input, filter.endsAt),
      keywords: filter.keywords.map((it) =>
        it.id === keyword.id ? changed : it,
      ),
    },
    filter.id,
  );
  const stored = saved.keywords.find((it) => it.keyword === changed.keyword);
  return presentOldFilter(saved, stored ?? keyword);
}
