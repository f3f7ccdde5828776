import type { Db, Reader, Tx } from "../../db/db.ts";
import { forShare, forUpdate, isOneOf } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** How a remote server, named by its origin, has answered lately. */
export type StoredHealth = {
  /** Since when no delivery has succeeded; null where it only asked to be left alone for a while. */
  readonly failingSince: Timestamp | null;
  /** In a row. */
  readonly failures: number;
  /** Until when nothing is sent to it, unless it gives a sign of life. */
  readonly heldUntil: Timestamp | null;
  readonly updatedAt: Timestamp;
  /** Did it answer when it was last knocked at? It takes nothing all the same. */
  readonly answers: boolean | number;
};

const WELL = {
  failingSince: null,
  failures: 0,
  heldUntil: null,
  answers: false,
} as const;

/** @returns undefined for a host of which nothing bad is known */
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

/** The hosts of which something bad is known. */
export async function listTroubledHosts(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("remote_hosts")
    .select("host")
    .limit(MAX_HOSTS)
    .execute();
  return rows.map(({ host }) => host);
}

/**
 * Which of the hosts get nothing just now. It stays so until the transaction has
 * ended, so that whoever releases a host's queue finds what is put in with it.
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
 * @param isNew whether it is the first failure of what was sent: one document that
 * fails again and again says nothing more of its host
 * @returns what is known of the host now
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

/** Notes until when nothing is sent to the host, if it is not already for longer. */
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
 * Forgets what was bad about a host. The row goes, too: what is well needs no
 * memory. But while inboxes there are gone, it says that a sign of life matters.
 */
export async function clearFailures(tx: Tx, host: string): Promise<void> {
  await tx
    .updateTable("remote_hosts")
    .set({ failing_since: null, failures: 0, held_until: null, answers: false })
    .where("host", "=", host)
    .execute();
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
}

/** Sees to it that there is a row of the host, whatever it says. */
export async function saveTrouble(
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

/** Notes whether a host that takes nothing answers at all. */
export async function saveAnswers(
  tx: Tx,
  host: string,
  answers: boolean,
): Promise<void> {
  await tx
    .updateTable("remote_hosts")
    .set({ answers })
    .where("host", "=", host)
    .execute();
}
