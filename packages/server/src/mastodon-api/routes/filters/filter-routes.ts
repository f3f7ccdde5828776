import type { SignedIn } from "../../../features/accounts/index.ts";
import type { Filter, FilterChoice } from "../../../features/filters/index.ts";
import type { FilterId } from "../../../features/ids.ts";
import type { FilterKeyword } from "../../../features/visibility/index.ts";
import { presentFullFilter, presentKeyword } from "../../entities/filter.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { readFilter, readKeyword } from "./read-filter.ts";

const ALL = { offset: 0, limit: 100 };

/** Words that users do not want to read. Keywords are added one by one, or with the filter. */
export function filterRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { filters } = deps;
  const save = (user: SignedIn, choice: FilterChoice, id?: FilterId) =>
    filters.save(user.userId, choice, id, { mayLackKeywords: true });
  return [
    userRoute({
      method: "GET",
      path: "/v2/filters",
      scope: "read:filters",
      limit: "read",
      handle: async ({ viewer }) =>
        (await filters.list(viewer.userId, ALL)).map(presentFullFilter),
    }),
    userRoute({
      method: "POST",
      path: "/v2/filters",
      scope: "write:filters",
      limit: "write",
      handle: async ({ input, viewer }) =>
        presentFullFilter(await save(viewer, readFilter(deps, input))),
    }),
    userRoute({
      method: "GET",
      path: "/v2/filters/:id",
      scope: "read:filters",
      limit: "read",
      handle: async (call) => presentFullFilter(await getFilter(deps, call)),
    }),
    userRoute({
      method: "PUT",
      path: "/v2/filters/:id",
      scope: "write:filters",
      limit: "write",
      handle: async (call) => {
        const before = await getFilter(deps, call);
        const choice = readFilter(deps, call.input, before);
        return presentFullFilter(await save(call.viewer, choice, before.id));
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v2/filters/:id",
      scope: "write:filters",
      limit: "write",
      handle: async ({ id, viewer }) => {
        await filters.remove(viewer.userId, id() as FilterId);
        return {};
      },
    }),
    ...keywordRoutes(deps, save),
  ];
}

const getFilter = (
  { filters }: Pick<MastodonDeps, "filters">,
  { id, viewer }: UserCall,
) => filters.get(viewer.userId, id() as FilterId);

type Save = (
  user: SignedIn,
  choice: FilterChoice,
  id?: FilterId,
) => Promise<Filter>;

function keywordRoutes(deps: MastodonDeps, save: Save): MastodonRoute[] {
  const path = "/v2/filters/keywords/:id";
  const change = async (
    { id, viewer }: UserCall,
    make: () => FilterChoice["keywords"],
  ) => {
    const { filter, keyword } = await findKeyword(deps, viewer, id());
    const keywords = filter.keywords.flatMap((it) =>
      it.id === keyword.id ? make() : [it],
    );
    return save(viewer, { ...filter, keywords }, filter.id);
  };
  return [
    userRoute({
      method: "GET",
      path: "/v2/filters/:id/keywords",
      scope: "read:filters",
      limit: "read",
      handle: async (call) =>
        (await getFilter(deps, call)).keywords.map(presentKeyword),
    }),
    userRoute({
      method: "POST",
      path: "/v2/filters/:id/keywords",
      scope: "write:filters",
      limit: "write",
      handle: async (call) => {
        const before = await getFilter(deps, call);
        const added = readKeyword(call.input);
        const keywords = [...before.keywords, added];
        const saved = await save(
          call.viewer,
          { ...before, keywords },
          before.id,
        );
        return presentNamed(saved, added);
      },
    }),
    userRoute({
      method: "GET",
      path,
      scope: "read:filters",
      limit: "read",
      handle: async ({ id, viewer }) =>
        presentKeyword((await findKeyword(deps, viewer, id())).keyword),
    }),
    userRoute({
      method: "PUT",
      path,
      scope: "write:filters",
      limit: "write",
      handle: async (call) => {
        const { keyword } = await findKeyword(deps, call.viewer, call.id());
        const changed = readKeyword(call.input, keyword);
        return presentNamed(await change(call, () => [changed]), changed);
      },
    }),
    userRoute({
      method: "DELETE",
      path,
      scope: "write:filters",
      limit: "write",
      handle: async (call) => {
        await change(call, () => []);
        return {};
      },
    }),
  ];
}

/** The stored keyword of these letters: a filter has each once. */
function presentNamed({ keywords }: Filter, { keyword }: FilterKeyword) {
  const stored = keywords.find((it) => it.keyword === keyword.trim());
  if (!stored) throw notFound();
  return presentKeyword(stored);
}

/** @throws {KithError} `not_found`, also for another user's */
export async function findKeyword(
  { filters }: Pick<MastodonDeps, "filters">,
  { userId }: SignedIn,
  id: number,
) {
  for (const filter of await filters.list(userId, ALL)) {
    const keyword = filter.keywords.find((it) => it.id === id);
    if (keyword) return { filter, keyword };
  }
  throw notFound();
}
