import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

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

export type WhichActs = {
  /** If absent, starts with the newest. */
  readonly beforeId?: number | undefined;
  readonly offset?: number;
  readonly limit: number;
};

/** Lists actions, newest first. */
export async function listActs(
  reader: Reader,
  { beforeId, offset = 0, limit }: WhichActs,
): Promise<Act[]> {
  let query = reader.selectFrom("audit_log").selectAll();
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
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
