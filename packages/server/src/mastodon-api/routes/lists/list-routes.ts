import type { Aspect } from "../../../features/aspects/index.ts";
import type { AspectId, PersonId } from "../../../features/ids.ts";
import { slicePage } from "../../../features/page.ts";
import { presentList } from "../../entities/small.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadAccounts } from "../../loading/load-accounts.ts";

/** Aspects, as lists of people. */
export function listRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { aspects } = deps;
  return [
    userRoute({
      method: "GET",
      path: "/v1/lists",
      scope: "read:lists",
      limit: "read",
      handle: async ({ viewer }) =>
        (await aspects.list(viewer.userId)).map(presentList),
    }),
    userRoute({
      method: "POST",
      path: "/v1/lists",
      scope: "write:lists",
      limit: "write",
      handle: async ({ input, viewer }) =>
        presentList(await aspects.create(viewer.userId, titleOf(input))),
    }),
    userRoute({
      method: "GET",
      path: "/v1/lists/:id",
      scope: "read:lists",
      limit: "read",
      handle: async (call) => presentList(await getList(deps, call)),
    }),
    userRoute({
      method: "PUT",
      path: "/v1/lists/:id",
      scope: "write:lists",
      limit: "write",
      handle: async (call) => {
        const list = await getList(deps, call);
        if (!call.input.has("title")) return presentList(list);
        const { userId } = call.viewer;
        const title = titleOf(call.input);
        return presentList(await aspects.rename(userId, list.id, title));
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/lists/:id",
      scope: "write:lists",
      limit: "write",
      handle: async (call) => {
        const { id } = await getList(deps, call);
        await aspects.remove(call.viewer, id);
        return {};
      },
    }),
    ...memberRoutes(deps),
  ];
}

function titleOf(input: UserCall["input"]): string {
  const title = input.filled("title");
  if (title === undefined) throw invalid("Title can't be blank");
  return title;
}

/** @throws {KithError} `not_found`, also for another user's */
async function getList(
  { aspects, db }: MastodonDeps,
  { id, viewer }: UserCall,
): Promise<Aspect> {
  const found = await aspects.find(db.read, viewer.userId, id() as AspectId);
  if (!found) throw notFound();
  return found;
}

/** Adding the first time follows a person, removing the last time unfollows; other servers receive both. */
const MAX_AT_ONCE = 40;

function membersOf({ input }: UserCall): PersonId[] {
  const ids = input.ids("account_ids");
  if (ids.length > MAX_AT_ONCE)
    throw invalid(`At most ${MAX_AT_ONCE} accounts can be given at once`);
  return ids as PersonId[];
}

/** Members of a list are followed, as those of an aspect. */
function memberRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { aspects } = deps;
  const path = "/v1/lists/:id/accounts";
  return [
    userRoute({
      method: "GET",
      path,
      scope: "read:lists",
      limit: "read",
      handle: async (call) => {
        const { memberships } = await getList(deps, call);
        const { input, link, viewer } = call;
        const page = readAskedPage(input, OF_ACCOUNTS);
        const isWhole = input.uint("limit") === 0;
        const members = isWhole
          ? memberships
          : slicePage(
              memberships.toSorted((a, b) => b.id - a.id),
              page,
            );
        if (!isWhole)
          link(
            page,
            members.map(({ id }) => id),
          );
        const found = await deps.people.listById(
          members.map(({ personId }) => personId),
        );
        const people = members.flatMap((it) => found.get(it.personId) ?? []);
        return loadAccounts(
          deps,
          people.filter(({ state }) => state === "active"),
          viewer,
        );
      },
    }),
    userRoute({
      method: "POST",
      path,
      scope: "write:lists",
      limit: "write",
      handle: async (call) => {
        const { id } = await getList(deps, call);
        for (const personId of membersOf(call))
          await aspects.addPerson(call.viewer, id, personId);
        return {};
      },
    }),
    userRoute({
      method: "DELETE",
      path,
      scope: "write:lists",
      limit: "write",
      handle: async (call) => {
        const { id } = await getList(deps, call);
        for (const personId of membersOf(call))
          await aspects.removePerson(call.viewer, id, personId);
        return {};
      },
    }),
  ];
}
