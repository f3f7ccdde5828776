import type { Accounts } from "../../../features/accounts/index.ts";
import type { Act, Audit } from "../../../features/audit/index.ts";
import type { Moderation } from "../../../features/moderation/index.ts";
import type { HeldTexts } from "../../../features/held-texts/index.ts";
import type { Strikes } from "../../../features/strikes/index.ts";
import type { OperatedQueue } from "../../../features/queue/index.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { listOf, one } from "../../schemas/schemas.ts";

export type AdminOverviewDeps = {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly moderation: Moderation;
  readonly heldTexts: Pick<HeldTexts, "count">;
  readonly strikes: { readonly appeals: Pick<Strikes["appeals"], "countOpen"> };
  readonly queue: OperatedQueue;
};

/** The start page of moderators and admins. */
export function adminOverviewRoutes(deps: AdminOverviewDeps): ApiRoute[] {
  const { accounts, audit, heldTexts, moderation, queue, strikes } = deps;
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read",
      name: "showAdminOverview",
      path: "/admin/overview",
      summary: "Counts what there is to do.",
      input: NO_INPUT,
      output: one("AdminOverview"),
      handle: async () => {
        const { waiting, dead } = await queue.count();
        return {
          PendingRegistrations: await accounts.countPending(),
          JobsWaiting: waiting,
          JobsGivenUp: dead,
          OpenReports: await moderation.countOpen(),
          OpenAppeals: await strikes.appeals.countOpen(),
          HeldTexts: await heldTexts.count(),
        };
      },
    }),
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read",
      name: "listAuditEntries",
      path: "/admin/audit",
      summary: "Lists what moderators and admins have done, newest first.",
      input: NO_INPUT,
      output: listOf("AuditEntry"),
      handle: async ({ page }) => (await audit.list(page)).map(presentAct),
    }),
  ];
}

function presentAct(act: Act): WireRecord {
  return {
    ID: act.id,
    CreatedAt: act.at,
    By: act.byName,
    Action: act.action,
    Target: act.target,
    Details: act.details,
  };
}
