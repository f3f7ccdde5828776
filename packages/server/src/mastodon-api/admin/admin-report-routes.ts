import type { SignedIn } from "../../features/accounts/index.ts";
import type { Report } from "../../features/moderation/index.ts";
import type { MastodonRoute } from "../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../kit/paging.ts";
import { notFound } from "../kit/refusals.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import { listWritings } from "../loading/find-writing.ts";
import { loadStatuses } from "../loading/load-statuses.ts";
import { loadAdminAccount, type AdminDeps } from "./load-admin-accounts.ts";
import { moderatorRoute } from "./moderator-route.ts";

const PATH = "/v1/admin/reports";
const READ = "admin:read:reports";
const WRITE = "admin:write:reports";

type Act = (by: SignedIn, id: number, said: string) => Promise<unknown>;

/** Apps send no words with it. */
const RESOLVED = "Resolved";

/** Reports, for moderators. */
export function adminReportRoutes(deps: AdminDeps): MastodonRoute[] {
  const { moderation } = deps;
  const acts: Readonly<Record<string, Act>> = {
    assign_to_self: (by, id) => moderation.assign(by, id, true),
    unassign: (by, id) => moderation.assign(by, id, false),
    resolve: (by, id, said) => moderation.resolve(by, id, said),
    reopen: (by, id) => moderation.reopen(by, id),
  };
  return [
    moderatorRoute({
      ...{ method: "GET", path: PATH, scope: READ, limit: "read" },
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_ACCOUNTS);
        const state = input.flag("resolved") === true ? "closed" : "open";
        const found = await moderation.listIn(state, page);
        link(
          page,
          found.map(({ id }) => id),
        );
        return Promise.all(found.map((it) => load(deps, it, viewer)));
      },
    }),
    moderatorRoute({
      ...{ method: "GET", path: `${PATH}/:id`, scope: READ, limit: "read" },
      handle: ({ id, viewer }) => get(deps, id(), viewer),
    }),
    ...Object.entries(acts).map(([name, act]) =>
      moderatorRoute({
        method: "POST",
        path: `${PATH}/:id/${name}`,
        scope: WRITE,
        limit: "write",
        handle: async ({ id, input, viewer }) => {
          await act(viewer, id(), input.filled("text") ?? RESOLVED);
          return get(deps, id(), viewer);
        },
      }),
    ),
  ];
}

/** @throws {KithError} `not_found` */
async function get(
  deps: AdminDeps,
  id: number,
  viewer: SignedIn,
): Promise<Entity> {
  const found = await deps.moderation.find(id);
  if (!found) throw notFound();
  return load(deps, found.report, viewer);
}

async function load(
  deps: AdminDeps,
  report: Report,
  viewer: SignedIn,
): Promise<Entity> {
  const [account, target, assigned, resolver, statuses] = await Promise.all([
    loadAdminAccount(deps, report.reporterId, viewer),
    loadAdminAccount(deps, report.personId, viewer),
    loadByName(deps, report.assignee, viewer),
    loadByName(deps, report.resolver, viewer),
    loadReported(deps, report, viewer),
  ]);
  return {
    id: toWireId(report.id),
    action_taken: report.resolvedAt !== null,
    action_taken_at: report.resolvedAt && toWireTime(report.resolvedAt),
    category: report.category,
    comment: report.text,
    forwarded: report.forwarded,
    created_at: toWireTime(report.createdAt),
    updated_at: toWireTime(report.resolvedAt ?? report.createdAt),
    // Servers keep their reporters to themselves.
    account,
    target_account: target,
    assigned_account: assigned,
    action_taken_by_account: resolver,
    statuses,
    rules: [],
  };
}

async function loadByName(
  deps: AdminDeps,
  username: string | null,
  viewer: SignedIn,
): Promise<Entity | null> {
  if (username === null) return null;
  const person = await deps.people.find({ handle: `${username}@${deps.host}` });
  return loadAdminAccount(deps, person?.id ?? null, viewer);
}

/** The reported status, if the moderator may see it; limited texts are in the pages alone. */
async function loadReported(
  deps: AdminDeps,
  { targetGuid: guid, targetKind }: Report,
  viewer: SignedIn,
): Promise<Entity[]> {
  if (guid === null || targetKind === "person") return [];
  const { comments, posts } = deps;
  const found =
    targetKind === "post"
      ? await posts.findVisible({ guid }, viewer)
      : await comments.findVisible({ guid }, viewer);
  if (!found) return [];
  const writings = await listWritings(deps, [found.id], viewer);
  return loadStatuses(deps, writings, viewer);
}
