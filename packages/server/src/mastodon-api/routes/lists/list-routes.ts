import type { Aspect, RepliesPolicy } from "../../../features/aspects/index.ts";
import type { AspectId, PersonId } from "../../../features/ids.ts";
import { slicePage } from "../../../features/page.ts";
import { KithError } from "../../../lib/errors.ts";
import { presentList } from "../../entities/small.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
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
      handle: async ({ input, viewer }) => {
        const title = titleOf(input);
        const repliesPolicy = readRepliesPolicy(input) ?? USUAL_POLICY;
        const exclusive = input.flag("exclusive") ?? false;
        const choices = { repliesPolicy, exclusive };
        return presentList(await aspects.create(viewer.userId, title, choices));
      },
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
        const { input, viewer } = call;
        const name = input.has("title") ? titleOf(input) : undefined;
        const repliesPolicy = readRepliesPolicy(input);
        const exclusive = input.flag("exclusive");
        const change = { name, repliesPolicy, exclusive };
        if (Object.values(change).every((it) => it === undefined))
          return presentList(list);
        return presentList(
          await aspects.change(viewer.userId, list.id, change),
        );
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

const POLICIES: readonly RepliesPolicy[] = ["followed", "list", "none"];

/** As Mastodon makes lists. Aspects made elsewhere show no replies. */
const USUAL_POLICY: RepliesPolicy = "list";

/** @throws {KithError} `bad_request` for another word */
export function readRepliesPolicy(
  input: UserCall["input"],
): RepliesPolicy | undefined {
  const given = input.filled("replies_policy");
  if (given === undefined) return undefined;
  const policy = POLICIES.find((it) => it === given);
  if (policy === undefined)
    throw new KithError(
      "bad_request",
      `The parameter replies_policy must be one of ${POLICIES.join(", ")}.`,
    );
  return policy;
}

/** @throws {KithError} `not_found`, also for another user's */
export async function getList(
  { aspects, db }: MastodonDeps,
  { id, viewer }: Pick<UserCall, "id" | "viewer">,
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
        const isWhole = input.filled("limit") === "0";
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
      handle: (call) => changeMembers(deps, call, true),
    }),
    userRoute({
      method: "DELETE",
      path,
      scope: "write:lists",
      limit: "write",
      handle: (call) => changeMembers(deps, call, false),
    }),
  ];
}

/** All or nothing. Who is, or is not, in the list already is no fault: programs repeat their calls. */
async function changeMembers(
  deps: MastodonDeps,
  call: UserCall,
  isMember: boolean,
): Promise<Entity> {
  const { id: aspectId } = await getList(deps, call);
  const people = membersOf(call);
  await deps.aspects.changeMemberships(
    call.viewer,
    people.map((personId) => ({ aspectId, personId, isMember })),
  );
  return {};
}
