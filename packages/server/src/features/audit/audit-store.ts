import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

/** An administrative action, and who performed it. */
export type Act = {
  readonly id: number;
  readonly at: Timestamp;
  /** null: by the command line. */
  readonly byUserId: UserId | null;
  /** Their username at the time. */
  readonly byName: string;
  readonly action: string;
  readonly target: string;
  readonly details: string;
};

export async function insertAct(tx: Tx, act: Omit<Act, "id">): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values({
      at: act.at,
      by_user_id: act.byUserId,
      by_name: act.byName,
      action: act.action,
      target: act.target,
      details: act.details,
    })
    .execute();
}

/** Lists actions, newest first. */
export async function listActs(reader: Reader, page: Page): Promise<Act[]> {
  const query = reader.selectFrom("audit_log").selectAll();
  const rows = await fetchPage(query, "audit_log.id", page);
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    byUserId: row.by_user_id,
    byName: row.by_name,
    action: row.action,
    target: row.target,
    details: row.details,
  }));
}
