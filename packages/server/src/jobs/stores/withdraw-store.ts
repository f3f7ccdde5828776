import { sql, type SqlBool } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { lockInIdOrder } from "./host-queue-store.ts";
import type { SettledJob } from "../job.ts";

/** Selects waiting jobs that are not wanted any more. */
export type Withdrawn = {
  readonly kind: string;
  readonly hosts: readonly string[];
  /** A value that the payload must have, and one that it must not have. */
  readonly saying: { readonly name: string; readonly value: number };
  readonly butSaying: string;
};

/** Marks waiting jobs dead, without another attempt. @returns them */
export async function withdrawJobs(
  db: Db,
  tx: Tx,
  { kind, hosts, saying, butSaying }: Withdrawn,
  reason: string,
  now: Timestamp,
): Promise<SettledJob[]> {
  const member = (name: string) =>
    db.dialect === "sqlite"
      ? sql<string | null>`cast(payload ->> ${name} as text)`
      : sql<string | null>`payload::json ->> ${name}::text`;
  const unwanted = tx
    .selectFrom("jobs")
    .select("id")
    .where(isOneOf(db.dialect, "host", JSON.stringify(hosts)))
    .where("kind", "=", kind)
    .where("state", "=", "ready")
    .where(sql<SqlBool>`${member(saying.name)} = ${String(saying.value)}`)
    .where(sql<SqlBool>`${member(butSaying)} is null`);
  const rows = await tx
    .updateTable("jobs")
    .set({
      state: "dead",
      died_at: now,
      last_error: reason,
      overtaken: true,
    })
    .where("id", "in", lockInIdOrder(db, unwanted))
    .where("state", "=", "ready")
    .returning(["id", "kind", "payload", "host"])
    .execute();
  return rows.map((row) => ({
    ...row,
    payload: JSON.parse(row.payload) as unknown,
    isDone: false,
  }));
}
