import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** Passes on what is public, to whoever asked it to. */
export type Relay = {
  readonly id: number;
  /** As it was added. */
  readonly url: string;
  /** What is at its address: an inbox that is asked for everything, or an actor that is followed. */
  readonly kind: "inbox" | "actor";
  readonly state: "pending" | "accepted" | "rejected";
  /** Who speaks for it; null as long as it has not said so. */
  readonly actorUri: string | null;
  readonly inboxUri: string | null;
  /** Of what we ask it by, for its answer. */
  readonly followGuid: string;
  readonly createdAt: Timestamp;
};

/** All of them, the oldest first. There are as many as somebody has typed in. */
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

/** @returns undefined where it is there already */
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

/** Writes down what became known of a relay; what is left out stays. */
export async function updateRelay(
  tx: Tx,
  id: number,
  change: Partial<Pick<Relay, "state" | "actorUri" | "inboxUri">>,
  now: Timestamp,
): Promise<void> {
  const { state, actorUri, inboxUri } = change;
  // Kysely leaves out what is undefined, so that absent means unchanged.
  await tx
    .updateTable("relays")
    .set({ state, actor_uri: actorUri, inbox_uri: inboxUri, updated_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteRelay(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("relays").where("id", "=", id).execute();
}
