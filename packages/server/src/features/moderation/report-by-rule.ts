import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { RuleReport } from "../spam-rules/index.ts";
import type { MakeReportDeps } from "./make-report.ts";
import { countOpenByRules } from "./report-queries.ts";
import { insertReport } from "./report-store.ts";

/** More than these are in the log of the rules alone: strangers must not bury other reports. */
const MAX_OPEN_ABOUT_ONE = 5;
const MAX_OPEN = 200;

/**
 * Reports in the name of a rule: without a reporter, by this server. Nothing happens while too
 * many of its reports are open.
 */
export async function reportByRule(
  deps: Pick<MakeReportDeps, "clock" | "handleHost" | "notifyStaff">,
  tx: Tx,
  { rule, ...report }: RuleReport,
): Promise<void> {
  const { handleHost: host } = deps;
  const { personId } = report;
  if (
    (await countOpenByRules(tx, { host, personId })) >= MAX_OPEN_ABOUT_ONE ||
    (await countOpenByRules(tx, { host })) >= MAX_OPEN
  )
    return;
  await insertReport(tx, {
    ...report,
    guid: newGuid(),
    host,
    reporterId: null,
    objects: [],
    text: `Spam rule: ${rule}`,
    category: "spam",
    forwarded: false,
    createdAt: timestamp(deps.clock.now()),
  });
  await deps.notifyStaff(tx);
}
