import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The record of another server, named by its origin. */
export type Peer = {
  /** `software.name` of its NodeInfo; null if unknown. */
  readonly software: string | null;
  /** When it was last asked; null if never. */
  readonly learnedAt: Timestamp | null;
  /**
   * The form of signature that it accepted when others failed; null for the
   * default.
   */
  readonly signatureForm: string | null;
  readonly signatureFormAt: Timestamp | null;
};

const UNKNOWN: Peer = {
  software: null,
  learnedAt: null,
  signatureForm: null,
  signatureFormAt: null,
};

export async function findPeer(reader: Reader, origin: string): Promise<Peer> {
  const row = await reader
    .selectFrom("peers")
    .selectAll()
    .where("origin", "=", origin)
    .executeTakeFirst();
  return row
    ? {
        software: row.software,
        learnedAt: row.learned_at,
        signatureForm: row.signature_form,
        signatureFormAt: row.signature_form_at,
      }
    : UNKNOWN;
}

/** More than are learned at a time, so that the table does not grow. */
const FORGET_BATCH = 10;

/**
 * Deletes a batch of servers not learned about since then. They are asked again
 * at the next contact.
 */
export async function forgetOldPeers(
  tx: Tx,
  knownBefore: Timestamp,
): Promise<void> {
  await sql`delete from peers where origin in (
    select origin from peers
    where coalesce(learned_at, signature_form_at) < ${knownBefore}
    limit ${FORGET_BATCH})`.execute(tx);
}

/**
 * Saves a server's software. A known name is kept if the server does not answer
 * any more.
 */
export async function saveSoftware(
  tx: Tx,
  origin: string,
  software: string | null,
  now: Timestamp,
): Promise<void> {
  const columns = {
    learned_at: now,
    ...(software === null ? {} : { software }),
  };
  await tx
    .insertInto("peers")
    .values({ origin, ...columns })
    .onConflict((conflict) => conflict.column("origin").doUpdateSet(columns))
    .execute();
}

export async function saveSignatureForm(
  tx: Tx,
  origin: string,
  form: string,
  now: Timestamp,
): Promise<void> {
  const columns = { signature_form: form, signature_form_at: now };
  await tx
    .insertInto("peers")
    .values({ origin, ...columns })
    .onConflict((conflict) => conflict.column("origin").doUpdateSet(columns))
    .execute();
}
