import type { Person } from "../../../features/people/index.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readKeyedPage, readAskedPage } from "../../kit/paging.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Page } from "../../../features/page.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { Scope } from "../../../features/oauth/index.ts";
import { toWireTime, type Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getActivePerson, loadAccounts } from "../../loading/load-accounts.ts";
import { loadRelationship } from "../../loading/load-relationships.ts";

type Listed = {
  readonly person: Person;
  readonly since: Timestamp;
  readonly more?: Entity;
};

/** Lists of people from whom users keep away, or who ask to follow them. */
export function avoidingRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { blocks, contacts } = deps;
  const list = (
    path: string,
    scope: Scope,
    read: (call: UserCall, page: Page) => Promise<readonly Listed[]>,
  ): MastodonRoute =>
    userRoute({
      method: "GET",
      path,
      scope,
      limit: "read",
      handle: async (call) => {
        const found = await readKeyedPage<Listed>(
          call,
          OF_ACCOUNTS,
          ({ person, since }) => ({ id: person.id, place: Date.parse(since) }),
          (page) => read(call, page),
        );
        const people = found.map(({ person }) => person);
        const shown = await loadAccounts(deps, people, call.viewer);
        return shown.map((account, at) => ({ ...account, ...found[at]?.more }));
      },
    });
  return [
    list("/v1/blocks", "read:blocks", ({ viewer }, page) =>
      blocks.list(viewer.personId, page),
    ),
    list("/v1/mutes", "read:mutes", async ({ viewer }, page) =>
      (await blocks.listIgnored(viewer.personId, page)).map(
        ({ person, since, endsAt }) => ({
          ...{ person, since },
          more: { mute_expires_at: endsAt && toWireTime(endsAt) },
        }),
      ),
    ),
    list("/v1/follow_requests", "read:follows", async ({ viewer }, page) =>
      (await contacts.requests.list(viewer.userId, page)).map(
        ({ person, createdAt }) => ({ person, since: createdAt }),
      ),
    ),
    ...answerRoutes(deps),
    ...hostRoutes(deps),
  ];
}

/** Accepts and refuses follow requests. */
function answerRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { requests } = deps.contacts;
  return (["authorize", "reject"] as const).map((name) =>
    userRoute({
      method: "POST",
      path: `/v1/follow_requests/:id/${name}`,
      scope: "write:follows",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const person = await getActivePerson(deps, id());
        if (name === "authorize") await requests.accept(viewer, person.id);
        else await requests.refuse(viewer, person.id);
        return loadRelationship(deps, viewer, person.id);
      },
    }),
  );
}

/** Blocks of whole servers. */
function hostRoutes({ blocks }: MastodonDeps): MastodonRoute[] {
  const readHost = ({ input }: UserCall): string => {
    const host = input.filled("domain");
    if (host === undefined) throw invalid("Domain can't be blank");
    return host;
  };
  return [
    userRoute({
      method: "GET",
      path: "/v1/domain_blocks",
      scope: "read:blocks",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, { usual: 100, most: 200 });
        const found = await blocks.listHosts(viewer.personId, page);
        link(
          page,
          found.map(({ id }) => id),
        );
        return found.map(({ host }) => host);
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/domain_blocks",
      scope: "write:blocks",
      limit: "write",
      handle: async (call) => {
        await blocks.blockHost(call.viewer, readHost(call));
        return {};
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/domain_blocks",
      scope: "write:blocks",
      limit: "write",
      handle: async (call) => {
        await blocks.unblockHost(call.viewer, readHost(call));
        return {};
      },
    }),
  ];
}
