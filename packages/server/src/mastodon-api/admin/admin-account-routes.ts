import type { SignedIn } from "../../features/accounts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Input } from "../kit/input.ts";
import type { MastodonRoute, UserCall } from "../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../kit/paging.ts";
import { invalid, notFound } from "../kit/refusals.ts";
import type { Entity } from "../kit/wire.ts";
import {
  loadAdminAccount,
  loadAdminAccounts,
  type AdminDeps,
} from "./load-admin-accounts.ts";
import { moderatorRoute } from "./moderator-route.ts";

const PATH = "/v1/admin/accounts";
const READ = "admin:read:accounts";
const WRITE = "admin:write:accounts";

/** People, for moderators: who is suspended or silenced, and why it changes. */
export function adminAccountRoutes(deps: AdminDeps): MastodonRoute[] {
  const list = (path: string): MastodonRoute =>
    moderatorRoute({
      ...{ method: "GET", path, scope: READ, limit: "read" },
      handle: (call) => listPeople(deps, call),
    });
  return [
    list(PATH),
    list("/v2/admin/accounts"),
    moderatorRoute({
      ...{ method: "GET", path: `${PATH}/:id`, scope: READ, limit: "read" },
      handle: ({ id, viewer }) => getPerson(deps, id(), viewer),
    }),
    moderatorRoute({
      method: "POST",
      path: `${PATH}/:id/action`,
      scope: WRITE,
      limit: "write",
      handle: async ({ id, input, viewer }) => {
        await act(deps, viewer, id() as PersonId, input);
        return {};
      },
    }),
    ...(["unsuspend", "unsilence"] as const).map((decision) =>
      moderatorRoute({
        method: "POST",
        path: `${PATH}/:id/${decision}`,
        scope: WRITE,
        limit: "write",
        handle: async ({ id, viewer }) => {
          const personId = id() as PersonId;
          await deps.suspensions.decide({ by: viewer, personId, decision });
          return getPerson(deps, personId, viewer);
        },
      }),
    ),
  ];
}

async function listPeople(
  deps: AdminDeps,
  { input, link, viewer }: UserCall,
): Promise<Entity[]> {
  const page = readAskedPage(input, OF_ACCOUNTS);
  const found = await deps.suspensions.list(readState(input), page);
  link(
    page,
    found.map(({ person }) => person.id),
  );
  return loadAdminAccounts(deps, found, viewer);
}

/** By the flags of the first version, or the word of the second. */
function readState(input: Input): "silenced" | "suspended" | undefined {
  const status = input.filled("status");
  for (const state of ["suspended", "silenced"] as const)
    if (status === state || input.flag(state) === true) return state;
  return undefined;
}

async function getPerson(
  deps: AdminDeps,
  id: number,
  viewer: SignedIn,
): Promise<Entity> {
  const entity = await loadAdminAccount(deps, id as PersonId, viewer);
  if (!entity) throw notFound();
  return entity;
}

/** The report that led to it is resolved with it. */
async function act(
  { moderation, suspensions }: AdminDeps,
  by: SignedIn,
  personId: PersonId,
  input: Input,
): Promise<void> {
  const type = input.filled("type");
  const reason = input.filled("text");
  if (type !== "none" && type !== "silence" && type !== "suspend")
    throw invalid("Type is not included in the list");
  if (type !== "none")
    await suspensions.decide({ by, personId, decision: type, reason });
  else if (!(await suspensions.find(personId))) throw notFound();
  const reportId = input.id("report_id");
  if (reportId !== undefined)
    await moderation.resolve(by, reportId, reason ?? type);
}
