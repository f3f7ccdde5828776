import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../../features/ids.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Creation } from "./creation-store.ts";

/** A message from another server, as received. */
export type InboundMessage = {
  readonly id: number;
  readonly protocol: Protocol;
  /**
   * The sender: an actor id or a handle. Only a claim if `verified` is false.
   */
  readonly sender: string | null;
  /** The user whose own inbox received it; null for the shared inbox. */
  readonly recipientUserId: UserId | null;
  readonly verified: boolean;
  readonly body: Uint8Array;
  readonly receivedAt: Timestamp;
};

export type NewInboundMessage = Omit<InboundMessage, "id"> & {
  /** A message whose id was seen before is not stored again. */
  readonly messageId: string | null;
  /** Its subject; null if the id may be reused for others. */
  readonly about?: string | null;
  /**
   * Distinguishes a retry from a repeated act; null for acts that cannot be
   * repeated.
   */
  readonly proof?: string | null;
  /** Its creation, which every message with its id must agree on. */
  readonly creates?: Creation;
  /** Of one that is applied as it is stored: its body is not kept. */
  readonly outcome?: string;
};

/** @returns undefined if the id was seen before */
export async function insertInbound(
  tx: Tx,
  message: NewInboundMessage,
): Promise<number | undefined> {
  const { outcome } = message;
  const row = await tx
    .insertInto("inbound_messages")
    .values({
      protocol: message.protocol,
      message_id: message.messageId,
      sender: message.sender,
      recipient_user_id: message.recipientUserId,
      verified: message.verified,
      body: outcome === undefined ? message.body : null,
      received_at: message.receivedAt,
      ...(outcome !== undefined && {
        ...{ outcome, processed_at: message.receivedAt },
      }),
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

/** The recorded fields of the first message with an id. */
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

/** The state of a sender before one of its messages is applied. */
type SenderState = {
  readonly isActive: boolean;
  /** Is an earlier message still to be processed? */
  readonly isWaitedFor: boolean;
  /** Is its server failing, or has it gone inboxes? */
  readonly isHostInTrouble: boolean;
  /** Does anybody here follow the sender? */
  readonly isFollowed: boolean;
};

/** One query, since it runs for every message. */
export async function findSenderState(
  tx: Tx,
  personId: PersonId,
  lane: string,
  host: string | null,
): Promise<SenderState> {
  const [row] = await findSenderStateRow(tx, {
    personId,
    lane,
    host: host ?? "",
  });
  return {
    isActive: row?.state === "active",
    isWaitedFor: Boolean(row?.waiting),
    isHostInTrouble: row?.trouble != null,
    isFollowed: row?.follower != null,
  };
}

const findSenderStateRow = prepareQuery<
  { personId: PersonId; lane: string; host: string },
  {
    state: string;
    waiting: number | null;
    trouble: Timestamp | null;
    follower: UserId | null;
  }
>(
  (reader, value) =>
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
        eb
          .selectFrom("contacts")
          .select("contacts.user_id")
          .where("contacts.person_id", "=", value("personId"))
          .where("contacts.following", "=", true)
          .orderBy("contacts.user_id")
          .limit(1)
          .as("follower"),
      ])
      .where("people.id", "=", value("personId"))
      .compile(),
  { types: { personId: "bigint", lane: "text", host: "text" } },
);

/** @returns undefined if it is gone or was processed before */
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

/** Records the id of a message that was already processed. */
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

/**
 * Records the outcome of a message. The body is deleted; the id is kept, to
 * recognize repeats.
 */
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
