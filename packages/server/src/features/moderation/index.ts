import type { Db } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/clock.ts";
import type { PersonId } from "../ids.ts";
import {
  countReportsFrom,
  deleteSomeReportsAbout,
  insertReport,
  listReports,
  type Report,
} from "./report-store.ts";

export type { Report } from "./report-store.ts";

/** A server that sends more in a day only wants to fill the disk. */
const MAX_A_DAY = 200;
const DAY_MS = 24 * 3_600_000;

/** What the moderators of this server are told, until they have looked at it. */
export type Moderation = ReturnType<typeof createModeration>;

export function createModeration(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    /**
     * Stores a report, once for each Guid.
     * @returns false where its server has sent too many
     */
    receiveReport: (
      report: Omit<Report, "id" | "createdAt">,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const since = timestamp(later(now, -DAY_MS));
        if ((await countReportsFrom(tx, report.host, since)) >= MAX_A_DAY)
          return false;
        await insertReport(tx, { ...report, createdAt: timestamp(now) });
        return true;
      }),
    /** For moderators alone: some reports after an id, oldest first. */
    listReports: (afterId: number, limit: number) =>
      listReports(db.read, afterId, limit),
    /** Of somebody who has left. @returns true where more are left */
    removeSomeAbout: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeReportsAbout(tx, personId, limit)) > 0,
      ),
  };
}
