import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** A relay, and its answer to the subscription. */
export type Relay = {
  readonly id: number;
  /** As an operator entered it. */
  readonly url: string;
  /** An inbox, which is asked for everything public, or an actor, which is followed. */
  readonly kind: "inbox" | "actor";
  readonly state: "pending" | "accepted" | "rejected";
  /** Its actor; null until it has answered. */
  readonly actorUri: string | null;
  readonly inboxUri: string | null;
  /** Of the Follow, which its answer names. */
  readonly followGuid: string;
  readonly createdAt: Timestamp;
};

/** All relays, the oldest first. Operators enter them, so they are few. */
export async function listRelays(reader: Reader): Promise<Relay[]> {
  const rows = await reader
    .selectFrom("relays")
    .selectAll()
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    kind: row.kind,
    state: row.state,
    actorUri: row.actor_uri,
    inboxUri: row.inbox_uri,
    followGuid: row.follow_guid,
    createdAt: row.created_at,
  }));
}

/** @returns undefined if it is listed already */
export async function insertRelay(
  tx: Tx,
  relay: Pick<Relay, "url" | "kind" | "inboxUri" | "followGuid">,
  now: Timestamp,
): Promise<number | undefined> {
  const row = await tx
    .insertInto("relays")
    .values({
      url: relay.url,
      kind: relay.kind,
      state: "pending",
      actor_uri: null,
      inbox_uri: relay.inboxUri,
      follow_guid: relay.followGuid,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("url").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** Records the answer of a relay; absent members stay unchanged. */
export async function updateRelay(
  tx: Tx,
  id: number,
  change: Partial<Pick<Relay, "state" | "actorUri" | "inboxUri">>,
  now: Timestamp,
): Promise<void> {
  const { state, actorUri, inboxUri } = change;
  // Kysely omits undefined values, so that absent means unchanged.
  await tx
    .updateTable("relays")
    .set({ state, actor_uri: actorUri, inbox_uri: inboxUri, updated_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteRelay(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("relays").where("id", "=", id).execute();
}
