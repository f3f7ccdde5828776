import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { UserId } from "../../features/ids.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** Number and size of waiting messages. */
export type Amount = { readonly messages: number; readonly bytes: number };

/** The origin of an unproven message, and its recipient. */
export type Origin = {
  readonly network: string;
  readonly recipientUserId: UserId;
  /** Does this network send messages of followed people? */
  readonly isKnown: boolean;
};

type Waiting = Readonly<Record<"network" | "recipient" | "all", Amount>>;

const EVERYTHING = sql<number>`count(*)`;
const BYTES = sql<number>`coalesce(sum(bytes), 0)`;

/** Sums of unproven messages, separately for known networks and others. */
export async function findWaiting(
  reader: Reader,
  { network, recipientUserId, isKnown }: Origin,
): Promise<Waiting> {
  const waiting = () =>
    reader
      .selectFrom("unproven_messages")
      .select([EVERYTHING.as("messages"), BYTES.as("bytes")])
      .where("known", "=", isKnown);
  // Sequentially: a transaction has one connection.
  const ofNetwork = await waiting()
    .where("network", "=", network)
    .executeTakeFirstOrThrow();
  const ofRecipient = await waiting()
    .where("recipient_user_id", "=", recipientUserId)
    .executeTakeFirstOrThrow();
  const all = await waiting().executeTakeFirstOrThrow();
  return {
    network: toAmount(ofNetwork),
    recipient: toAmount(ofRecipient),
    all: toAmount(all),
  };
}

/** PostgreSQL returns sums as text. */
function toAmount({ messages, bytes }: Amount): Amount {
  return { messages: Number(messages), bytes: Number(bytes) };
}

export async function insertUnproven(
  tx: Tx,
  messageId: number,
  { network, recipientUserId, isKnown }: Origin,
  bytes: number,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("unproven_messages")
    .values({
      message_id: messageId,
      recipient_user_id: recipientUserId,
      network,
      known: isKnown,
      bytes,
      received_at: now,
    })
    .execute();
}

/**
 * Ends the counting of a message. @returns its network, if it was still counted
 */
export async function deleteUnproven(
  tx: Tx,
  messageId: number,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom("unproven_messages")
    .where("message_id", "=", messageId)
    .returning("network")
    .executeTakeFirst();
  return row?.network;
}

/**
 * Messages that were never authenticated in all that time, with their bodies.
 */
export async function deleteUnprovenBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("inbound_messages")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("unproven_messages")
        .select("unproven_messages.message_id")
        .where("unproven_messages.received_at", "<", time),
    )
    .execute();
}

/** @param since older proof is ignored */
export async function isKnownNetwork(
  reader: Reader,
  network: string,
  since: Timestamp,
): Promise<boolean> {
  const [row] = await findKnownNetwork(reader, { network });
  return row !== undefined && row.proven_at >= since;
}

const findKnownNetwork = prepareQuery<
  { network: string },
  { proven_at: Timestamp }
>((reader, value) =>
  reader
    .selectFrom("known_networks")
    .select("proven_at")
    .where("network", "=", value("network"))
    .compile(),
);

/** @param unlessSince written only if the last time is older */
export async function saveKnownNetwork(
  tx: Tx,
  network: string,
  now: Timestamp,
  unlessSince: Timestamp,
): Promise<void> {
  await tx
    .insertInto("known_networks")
    .values({ network, proven_at: now })
    .onConflict((conflict) =>
      conflict
        .column("network")
        .doUpdateSet({ proven_at: now })
        .where("known_networks.proven_at", "<", unlessSince),
    )
    .execute();
}

/** @param most how many of the latest are kept */
export async function deleteKnownNetworks(
  tx: Tx,
  before: Timestamp,
  most: number,
): Promise<void> {
  await tx
    .deleteFrom("known_networks")
    .where("proven_at", "<", before)
    .execute();
  const oldest = await tx
    .selectFrom("known_networks")
    .select("proven_at")
    .orderBy("proven_at", "desc")
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await tx
    .deleteFrom("known_networks")
    .where("proven_at", "<=", oldest.proven_at)
    .execute();
}
