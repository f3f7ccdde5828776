import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Amount } from "./unproven-store.ts";

/**
 * How well the sender of a message is known: each kind is counted separately.
 */
export type SenderClass = "followed" | "stranger" | "claimed";

/** The sender who caused a message to wait. */
export type WaitingSender = {
  readonly standing: SenderClass;
  readonly sender: string;
  readonly host: string;
};

export type Waiting = Readonly<Record<"all" | "host" | "sender", Amount>>;

/**
 * Counts waiting messages of the sender, of its server, and of all senders of
 * its kind.
 */
export async function countWaiting(
  reader: Reader,
  { standing, sender, host }: WaitingSender,
): Promise<Waiting> {
  const waiting = () =>
    reader
      .selectFrom("waiting_messages")
      .select([
        sql<number>`count(*)`.as("messages"),
        sql<number>`coalesce(sum(bytes), 0)`.as("bytes"),
      ])
      .where("standing", "=", standing);
  // Sequentially: a transaction has one connection.
  const ofSender = await waiting()
    .where("sender", "=", sender)
    .executeTakeFirstOrThrow();
  const ofHost = await waiting()
    .where("host", "=", host)
    .executeTakeFirstOrThrow();
  const all = await waiting().executeTakeFirstOrThrow();
  return {
    sender: toAmount(ofSender),
    host: toAmount(ofHost),
    all: toAmount(all),
  };
}

/** PostgreSQL returns sums as text. */
function toAmount({ messages, bytes }: Amount): Amount {
  return { messages: Number(messages), bytes: Number(bytes) };
}

export async function isWaiting(
  reader: Reader,
  messageId: number,
): Promise<boolean> {
  const row = await reader
    .selectFrom("waiting_messages")
    .select("message_id")
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertWaiting(
  tx: Tx,
  messageId: number,
  waiting: WaitingSender & { readonly bytes: number },
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("waiting_messages")
    .values({ message_id: messageId, ...waiting, since: now })
    .onConflict((conflict) => conflict.column("message_id").doNothing())
    .execute();
}

export async function deleteWaiting(tx: Tx, messageId: number): Promise<void> {
  await tx
    .deleteFrom("waiting_messages")
    .where("message_id", "=", messageId)
    .execute();
}

export async function deleteWaitingBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx.deleteFrom("waiting_messages").where("since", "<", time).execute();
}
