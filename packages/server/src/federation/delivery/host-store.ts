import type { Db, Reader, Tx } from "../../db/db.ts";
import { forShare, forUpdate, isOneOf } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The health of a remote host, named by its origin. */
export type StoredHealth = {
  /**
   * Since when no delivery has succeeded; null if the host only sent a
   * Retry-After.
   */
  readonly failingSince: Timestamp | null;
  /** Consecutive. */
  readonly failures: number;
  /** Until when the circuit is open, unless the host shows inbound activity. */
  readonly heldUntil: Timestamp | null;
  readonly updatedAt: Timestamp;
  /** Did it answer the last probe? It accepts no deliveries all the same. */
  readonly answers: boolean | number;
};

const WELL = {
  failingSince: null,
  failures: 0,
  heldUntil: null,
  answers: false,
} as const;

/** @returns undefined for a healthy host */
export async function findHostHealth(
  reader: Reader,
  host: string,
): Promise<StoredHealth | undefined> {
  const [row] = await findRow(reader, { host });
  return row;
}

const findRow = prepareQuery<{ host: string }, StoredHealth>((reader, value) =>
  reader
    .selectFrom("remote_hosts")
    .select([
      "failing_since as failingSince",
      "failures",
      "held_until as heldUntil",
      "updated_at as updatedAt",
      "answers",
    ])
    .where("host", "=", value("host"))
    .compile(),
);

const MAX_HOSTS = 50_000;

/** The hosts that are not healthy. */
export async function listTroubledHosts(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("remote_hosts")
    .select("host")
    .limit(MAX_HOSTS)
    .execute();
  return rows.map(({ host }) => host);
}

/**
 * The health of these hosts. The rows stay locked until the transaction has
 * ended, so that a transaction that releases a host's queue finds the jobs
 * enqueued with it.
 */
export async function listHealthOf(
  db: Db,
  tx: Tx,
  hosts: readonly string[],
): Promise<(StoredHealth & { readonly host: string })[]> {
  return tx
    .selectFrom("remote_hosts")
    .select([
      "host",
      "failing_since as failingSince",
      "failures",
      "held_until as heldUntil",
      "updated_at as updatedAt",
      "answers",
    ])
    .where(isOneOf(db.dialect, "host", JSON.stringify(hosts)))
    .orderBy("host")
    .modifyEnd(forShare(db.dialect))
    .execute();
}

/**
 * @param isNew is it the first failure of this delivery? A document that fails
 *   repeatedly says nothing more about its host
 * @returns the host's health now
 */
export async function saveFailure(
  db: Db,
  tx: Tx,
  host: string,
  { reason, isNew }: { readonly reason: string; readonly isNew: boolean },
  now: Timestamp,
): Promise<StoredHealth> {
  const before = await findForChange(db, tx, host);
  const counts = isNew || before.failures === 0;
  const after = {
    ...before,
    failingSince: before.failingSince ?? now,
    failures: before.failures + (counts ? 1 : 0),
    updatedAt: now,
  };
  await saveHealth(tx, host, after, reason);
  return after;
}

/** Records until when the circuit is open, unless it already is for longer. */
export async function saveHold(
  db: Db,
  tx: Tx,
  host: string,
  until: Timestamp,
  reason: string,
  now: Timestamp,
): Promise<void> {
  const before = await findForChange(db, tx, host);
  const { heldUntil } = before;
  await saveHealth(
    tx,
    host,
    {
      ...before,
      heldUntil: heldUntil !== null && heldUntil > until ? heldUntil : until,
      updatedAt: now,
    },
    reason,
  );
}

async function findForChange(db: Db, tx: Tx, host: string) {
  const row = await tx
    .selectFrom("remote_hosts")
    .select([
      "failing_since as failingSince",
      "failures",
      "held_until as heldUntil",
      "answers",
    ])
    .where("host", "=", host)
    .modifyEnd(forUpdate(db.dialect))
    .executeTakeFirst();
  return row ?? WELL;
}

async function saveHealth(
  tx: Tx,
  host: string,
  health: StoredHealth,
  reason: string,
): Promise<void> {
  const columns = {
    failing_since: health.failingSince,
    failures: health.failures,
    held_until: health.heldUntil,
    last_error: reason.slice(0, 500),
    updated_at: health.updatedAt,
  };
  await tx
    .insertInto("remote_hosts")
    .values({ host, ...columns })
    .onConflict((conflict) => conflict.column("host").doUpdateSet(columns))
    .execute();
}

/**
 * Resets the health of a host. Its row is deleted; but while inboxes there are
 * gone, the row stays, so that inbound activity is noticed.
 * @returns was there anything to reset?
 */
export async function clearFailures(tx: Tx, host: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("remote_hosts")
    .set({ failing_since: null, failures: 0, held_until: null, answers: false })
    .where("host", "=", host)
    .where((eb) =>
      eb.or([
        eb("failing_since", "is not", null),
        eb("held_until", "is not", null),
      ]),
    )
    .executeTakeFirst();
  await tx
    .deleteFrom("remote_hosts")
    .where("host", "=", host)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("gone_inboxes")
            .select("url")
            .where("gone_inboxes.host", "=", host),
        ),
      ),
    )
    .execute();
  return numUpdatedRows > 0n;
}

/** Ensures that the host has a row. */
export async function ensureHost(
  tx: Tx,
  host: string,
  reason: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("remote_hosts")
    .values({ host, failures: 0, last_error: reason, updated_at: now })
    .onConflict((conflict) => conflict.column("host").doNothing())
    .execute();
}

/** Records whether a failing host answers its probes. @returns is it failing? */
export async function saveProbeResult(
  tx: Tx,
  host: string,
  answers: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("remote_hosts")
    .set({ answers })
    .where("host", "=", host)
    .where("failing_since", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
