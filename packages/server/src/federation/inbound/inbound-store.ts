import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../../features/ids.ts";
import type { Protocol } from "../../db/remote-person.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Creation } from "./creation-store.ts";

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
  /** What it is about; null where that may differ each time that the id is used. */
  readonly about?: string | null;
  /** What tells a retry from the same said anew; null where it is said once. */
  readonly proof?: string | null;
  /** What it makes, which no other message under its id may differ in. */
  readonly creates?: Creation;
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
      about: message.about ?? null,
      proof: message.proof ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(["protocol", "message_id"]).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** What is known of the first message with an id. */
export async function findFirst(
  tx: Tx,
  protocol: Protocol,
  messageId: string,
): Promise<{ about: string | null; proof: string | null } | undefined> {
  return tx
    .selectFrom("inbound_messages")
    .select(["about", "proof"])
    .where("protocol", "=", protocol)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
}

/** What there is to know of a sender before a message of it is carried out. */
type Standing = {
  readonly isActive: boolean;
  /** Is an earlier message still to be processed? */
  readonly isWaitedFor: boolean;
  /** Did its server fail to take what we send, or say that somebody there is gone? */
  readonly isHostInTrouble: boolean;
};

/** All of it in one look, since it is asked for every message. */
export async function findSenderState(
  tx: Tx,
  personId: PersonId,
  lane: string,
  host: string | null,
): Promise<Standing> {
  const [row] = await findSenderStateRow(tx, {
    personId,
    lane,
    host: host ?? "",
  });
  return {
    isActive: row?.state === "active",
    isWaitedFor: Boolean(row?.waiting),
    isHostInTrouble: row?.trouble != null,
  };
}

const findSenderStateRow = prepareQuery<
  { personId: PersonId; lane: string; host: string },
  { state: string; waiting: number | null; trouble: Timestamp | null }
>((reader, value) =>
  reader
    .selectFrom("people")
    .select((eb) => [
      "people.state",
      eb
        .selectFrom("jobs")
        .select("jobs.id")
        .where("jobs.lane", "=", value("lane"))
        .where("jobs.state", "<>", "dead")
        .limit(1)
        .as("waiting"),
      eb
        .selectFrom("remote_hosts")
        .select("remote_hosts.updated_at")
        .where("remote_hosts.host", "=", value("host"))
        .as("trouble"),
    ])
    .where("people.id", "=", value("personId"))
    .compile(),
);

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
    recipientUserId: row.recipient_user_id,
    verified: Boolean(row.verified),
    body: row.body,
    receivedAt: row.received_at,
  };
}

export async function hasInbound(
  reader: Reader,
  protocol: Protocol,
  messageId: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom("inbound_messages")
    .select("id")
    .where("protocol", "=", protocol)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers the id of a message that was processed already. */
export async function insertSeen(
  tx: Tx,
  protocol: Protocol,
  messageId: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("inbound_messages")
    .values({
      protocol,
      message_id: messageId,
      sender: null,
      recipient_user_id: null,
      verified: true,
      body: null,
      received_at: now,
      processed_at: now,
      outcome: "passed on",
    })
    .onConflict((conflict) =>
      conflict.columns(["protocol", "message_id"]).doNothing(),
    )
    .execute();
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

export async function deleteInbound(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("inbound_messages").where("id", "=", id).execute();
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
