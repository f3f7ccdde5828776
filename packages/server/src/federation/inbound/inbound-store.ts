import type { Reader, Tx } from "../../db/db.ts";
import type { UserId } from "../../features/ids.ts";
import type { Protocol } from "../../features/people/index.ts";
import type { Timestamp } from "../../lib/clock.ts";

/** A message from another server, as it came. */
export type InboundMessage = {
  readonly id: number;
  readonly protocol: Protocol;
  /** Who sent it: an actor id or a handle. A claim, where `verified` is false. */
  readonly sender: string | null;
  /** The user whose own inbox it came to; null for the shared one. */
  readonly recipientUserId: UserId | null;
  readonly verified: boolean;
  readonly body: Uint8Array;
  readonly receivedAt: Timestamp;
};

export type NewInboundMessage = Omit<InboundMessage, "id"> & {
  /** A message with an id that was here before is not stored again. */
  readonly messageId: string | null;
};

/** @returns undefined where it was here before */
export async function insertInbound(
  tx: Tx,
  message: NewInboundMessage,
): Promise<number | undefined> {
  const row = await tx
    .insertInto("inbound_messages")
    .values({
      protocol: message.protocol,
      message_id: message.messageId,
      sender: message.sender,
      recipient_user_id: message.recipientUserId,
      verified: message.verified,
      body: message.body,
      received_at: message.receivedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(["protocol", "message_id"]).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** @returns undefined where it is gone or was processed before */
export async function findInbound(
  reader: Reader,
  id: number,
): Promise<InboundMessage | undefined> {
  const row = await reader
    .selectFrom("inbound_messages")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row || row.body === null) return undefined;
  return {
    id: row.id,
    protocol: row.protocol as Protocol,
    sender: row.sender,
    recipientUserId: row.recipient_user_id as UserId | null,
    verified: Boolean(row.verified),
    body: row.body,
    receivedAt: row.received_at,
  };
}

/** Notes what came of a message. The body goes; the id stays, to recognise repeats. */
export async function markProcessed(
  tx: Tx,
  id: number,
  outcome: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("inbound_messages")
    .set({ body: null, outcome: outcome.slice(0, 200), processed_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteProcessedBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("inbound_messages")
    .where("processed_at", "<", time)
    .execute();
}
