import type { Db, Reader, Tx } from "../db/db.ts";
import { isOneOf } from "../db/dialect.ts";

/** The jobs that an instance has leased. */
export async function listLeasedBy(
  reader: Reader,
  instance: number,
): Promise<number[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select("id")
    .where("state", "=", "leased")
    .where("leased_by", "=", instance)
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives back what an instance has leased. */
export async function releaseLeases(
  db: Db,
  tx: Tx,
  instance: number,
  ids: readonly number[],
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({ state: "ready", leased_by: null, lease_until: null })
    .where("state", "=", "leased")
    .where("leased_by", "=", instance)
    .where(isOneOf(db.dialect, "id", JSON.stringify(ids), "bigint"))
    .execute();
}

/** The instances that hold leases. */
export async function listLeaseHolders(reader: Reader): Promise<number[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select("leased_by")
    .distinct()
    .where("state", "=", "leased")
    .execute();
  return rows.flatMap((row) => (row.leased_by === null ? [] : [row.leased_by]));
}

/** Takes the leases of instances that have ended, and those that ran out. */
export async function reclaimLeases(
  tx: Tx,
  endedInstances: readonly number[],
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({ state: "ready", leased_by: null, lease_until: null })
    .where("state", "=", "leased")
    .where((eb) =>
      eb.or([
        eb("lease_until", "<", now.toISOString()),
        ...(endedInstances.length > 0
          ? [eb("leased_by", "in", [...endedInstances])]
          : []),
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
