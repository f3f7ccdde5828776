import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/clock.ts";

/** How a remote server, named by its origin, has answered lately. */
type HostHealth = {
  /** Since when no delivery has succeeded; null where all is well. */
  readonly failingSince: Timestamp | null;
  readonly failures: number;
};

const WELL: HostHealth = { failingSince: null, failures: 0 };

export async function findHostHealth(
  reader: Reader,
  host: string,
): Promise<HostHealth> {
  const [row] = await findRow(reader, { host });
  return row
    ? { failingSince: row.failing_since, failures: row.failures }
    : WELL;
}

const findRow = prepareQuery<
  { host: string },
  { failing_since: Timestamp | null; failures: number }
>((reader, value) =>
  reader
    .selectFrom("remote_hosts")
    .select(["failing_since", "failures"])
    .where("host", "=", value("host"))
    .compile(),
);

/** @returns true where the host was well until now */
export async function saveFailure(
  tx: Tx,
  host: string,
  reason: string,
  now: Timestamp,
): Promise<boolean> {
  const before = await findHostHealth(tx, host);
  const columns = {
    failing_since: before.failingSince ?? now,
    failures: before.failures + 1,
    last_error: reason.slice(0, 500),
    updated_at: now,
  };
  await tx
    .insertInto("remote_hosts")
    .values({ host, ...columns })
    .onConflict((conflict) => conflict.column("host").doUpdateSet(columns))
    .execute();
  return before.failingSince === null;
}

/** Forgets a host's failures. The row goes: what is well needs no memory. */
export async function clearFailures(tx: Tx, host: string): Promise<void> {
  await tx.deleteFrom("remote_hosts").where("host", "=", host).execute();
}
