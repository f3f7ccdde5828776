import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { RuleReport } from "../spam-rules/index.ts";
import type { MakeReportDeps } from "./make-report.ts";
import { insertReport } from "./report-store.ts";

/** Reports in the name of a rule: without a reporter, by this server. */
export async function reportByRule(
  deps: Pick<MakeReportDeps, "clock" | "handleHost" | "notifyStaff">,
  tx: Tx,
  { rule, ...report }: RuleReport,
): Promise<void> {
  await insertReport(tx, {
    ...report,
    guid: newGuid(),
    host: deps.handleHost,
    reporterId: null,
    objects: [],
    text: `Spam rule: ${rule}`,
    category: "spam",
    forwarded: false,
    createdAt: timestamp(deps.clock.now()),
  });
  await deps.notifyStaff(tx);
}
