import type { AccountRecord, SignedIn } from "../../features/accounts/index.ts";
import type { PersonId, UserId } from "../../features/ids.ts";
import type { Input } from "../kit/input.ts";
import type { MastodonRoute, UserCall } from "../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../kit/paging.ts";
import { invalid, notFound, Refusal } from "../kit/refusals.ts";
import type { Entity } from "../kit/wire.ts";
import {
  loadAdminAccount,
  loadAdminAccounts,
  type AdminDeps,
} from "./load-admin-accounts.ts";
import {
  pageOfPending,
  pendingIdOf,
  presentPending,
  readPendingId,
} from "./pending-accounts.ts";
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
    ...(["approve", "reject"] as const).map((decision) =>
      moderatorRoute({
        method: "POST",
        path: `${PATH}/:id/${decision}`,
        scope: WRITE,
        // A new account gets its keys.
        limit: "costly",
        handle: ({ id, viewer }) => answerPending(deps, viewer, id(), decision),
      }),
    ),
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
  if (input.filled("status") === "pending" || input.flag("pending") === true) {
    const waiting = await deps.administration.list(
      { state: "pending" },
      pageOfPending(page),
    );
    link(
      page,
      waiting.map(({ id }) => pendingIdOf(id)),
    );
    return waiting.map((it) => presentPending(deps.site, it));
  }
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
  const userId = readPendingId(id);
  if (userId !== undefined)
    return presentPending(deps.site, await getPending(deps, userId));
  const entity = await loadAdminAccount(deps, id as PersonId, viewer);
  if (!entity) throw notFound();
  return entity;
}

/** @throws {KithError} `not_found`, also for an account that waits no longer */
async function getPending(
  { administration }: AdminDeps,
  userId: UserId,
): Promise<AccountRecord> {
  const account = await administration.get(userId);
  if (account.state !== "pending") throw notFound();
  return account;
}

/**
 * Lets in somebody who waits for approval, or rejects them.
 * @returns the new person, or what was rejected
 */
async function answerPending(
  deps: AdminDeps,
  by: SignedIn,
  id: number,
  decision: "approve" | "reject",
): Promise<Entity> {
  const { administration, people, site } = deps;
  const userId = readPendingId(id);
  if (userId === undefined) throw await refusalOf(deps, id);
  const account = await getPending(deps, userId);
  await administration[decision](by, { id: userId });
  if (decision === "reject") return presentPending(site, account);
  const person = await people.find({ userId });
  if (!person) throw notFound();
  return getPerson(deps, person.id, by);
}

/** Nobody who is a person already waits for approval. */
async function refusalOf(
  { suspensions }: AdminDeps,
  id: number,
): Promise<Error> {
  const found = await suspensions.find(id as PersonId);
  return found ? new Refusal(403, "This action is not allowed") : notFound();
}

/**
 * The report that led to it is resolved with it. The text is for the person, as with Mastodon,
 * and without an action it is a warning.
 */
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
  const found = await suspensions.find(personId);
  if (!found) throw notFound();
  const isHere = found.person.userId !== null;
  const words = { reason, ...(isHere && { message: reason }) };
  if (type !== "none")
    await suspensions.decide({ by, personId, decision: type, ...words });
  else if (isHere && reason !== undefined)
    await suspensions.decide({ by, personId, decision: "warn", ...words });
  const reportId = input.id("report_id");
  if (reportId !== undefined)
    await moderation.resolve(by, reportId, reason ?? type);
}
