import type { Tx } from "../../db/db.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import type { Doer } from "../audit/index.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { RuleReport } from "../spam-rules/index.ts";
import {
  assignReport,
  noteReport,
  removeReported,
  reopenReport,
  resolveReport,
  type HandleReportDeps,
} from "./handle-report.ts";
import {
  makeReport,
  makeReports,
  type MakeReport,
  type MakeReportDeps,
} from "./make-report.ts";
import { reportByRule } from "./report-by-rule.ts";
import {
  countOpenReports,
  countReportsFrom,
  findReport,
  listNotes,
  listReports,
  listReportsAbout,
  listReportsIn,
  type ReportState,
} from "./report-queries.ts";
import {
  deleteSomeReportsAbout,
  forgetSomeReporters,
  insertReport,
  type NewReport,
} from "./report-store.ts";
import { MAX_REPORT_LENGTH } from "./report.ts";

export { FORWARD_REPORT, type ReportTarget } from "./make-report.ts";
export {
  CATEGORIES,
  type Category,
  type Report,
  type ReportNote,
  type TargetKind,
} from "./report.ts";
export type { ReportState } from "./report-queries.ts";

/** More in a day from one server only serves to fill the disk. */
const MAX_A_DAY = 200;
const DAY_MS = 24 * 3_600_000;

/** Reports to the moderators of this server, and their handling. */
export type Moderation = ReturnType<typeof createModeration>;

export function createModeration(deps: MakeReportDeps & HandleReportDeps) {
  const { db, clock } = deps;
  return {
    /** By a local person. @throws {KithError} see `makeReport` */
    report: (input: MakeReport) => makeReport(deps, input),
    /** By a local person, all or none. @throws {KithError} see `makeReport` */
    reportAll: (input: Parameters<typeof makeReports>[1]) =>
      makeReports(deps, input),
    /**
     * Stores a remote report, once per Guid.
     * @returns false if its server has sent too many
     */
    receiveReport: (
      report: Omit<
        NewReport,
        "createdAt" | "reporterId" | "category" | "forwarded"
      >,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const since = timestamp(later(now, -DAY_MS));
        if ((await countReportsFrom(tx, report.host, since)) >= MAX_A_DAY)
          return false;
        const id = await insertReport(tx, {
          ...report,
          text: [...report.text].slice(0, MAX_REPORT_LENGTH).join(""),
          reporterId: null,
          category: "other",
          forwarded: false,
          createdAt: timestamp(now),
        });
        if (id !== undefined) await deps.notifyStaff(tx);
        return true;
      }),
    /** A rule of this server reports what it has hit. */
    reportByRule: (tx: Tx, report: RuleReport) =>
      reportByRule(deps, tx, report),
    /** For moderators alone: some reports after an id, oldest first. */
    listReports: (afterId: number, limit: number) =>
      listReports(db.read, afterId, limit),
    /** The same, newest first: the open ones or the closed ones. */
    listIn: (state: ReportState, page: Page) =>
      listReportsIn(db.read, state, page),
    listAbout: (personId: PersonId, page: Page) =>
      listReportsAbout(db.read, personId, page),
    countOpen: () => countOpenReports(db.read),
    /** For moderators alone, with their notes. */
    find: async (id: number) => {
      const report = await findReport(db.read, id);
      return report && { report, notes: await listNotes(db.read, id) };
    },
    assign: (by: Doer, id: number, isTaken: boolean) =>
      assignReport(deps, by, id, isTaken),
    note: (by: Doer, id: number, text: string) =>
      noteReport(deps, by, id, text),
    resolve: (by: Doer, id: number, resolution: string) =>
      resolveReport(deps, by, id, resolution),
    reopen: (by: Doer, id: number) => reopenReport(deps, by, id),
    removeReported: (by: Doer, id: number, message?: string) =>
      removeReported(deps, by, id, message),
    /**
     * Deletes reports about a deleted account, and removes it as a reporter of others.
     * @returns true if more are left
     */
    removeSomeAbout: (personId: PersonId, limit: number) =>
      db.transaction(async (tx) => {
        const gone = await deleteSomeReportsAbout(tx, personId, limit);
        const forgotten = await forgetSomeReporters(tx, personId, limit);
        return gone + forgotten > 0;
      }),
  };
}
