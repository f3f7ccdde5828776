import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { STORED_RETRACTED_KINDS } from "../../db/schema/columns/stored-names.ts";
import type { PersonId } from "../ids.ts";
import {
  loadDetails,
  storeDetails,
  type RetractedKind,
  type Retraction,
} from "./retraction.ts";

export async function insertTombstone(
  tx: Tx,
  retraction: Retraction,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("tombstones")
    .values({
      kind: STORED_RETRACTED_KINDS[retraction.kind],
      guid: retraction.guid,
      person_id: retraction.personId,
      uri: retraction.uri,
      details: storeDetails(retraction.details),
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns([...KEY]).doNothing())
    .execute();
}

/** Others may have retracted something under the same Guid: authors choose their Guids. */
const KEY = ["kind", "guid", "person_id"] as const;

/** A retraction that arrives before its thing, by URI. */
export type EarlyRetraction = {
  readonly uri: string;
  /** Applies only to a thing of this person. */
  readonly personId: PersonId;
  /** The server of the person and of the URI. */
  readonly origin: string;
};

/**
 * More within an hour from one server would be a flood; things retracted by the oldest ones
 * have long arrived.
 */
const MAX_EARLY_OF_ORIGIN = 1000;
/**
 * Less than the server's limit, so that one person cannot use up the quota of the others
 * there.
 */
const MAX_EARLY_OF_PERSON = 100;
/** Bounds the deletion where more than one row is over the limit. */
const REMOVED_AT_ONCE = 100;

/**
 * Records a retraction that arrived before its thing; keeps the latest of each person and
 * of each server.
 */
export async function insertEarlyTombstone(
  tx: Tx,
  { uri, personId, origin }: EarlyRetraction,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("tombstones")
    .values({
      kind: "Unknown",
      // Not of the URI alone: one person's retraction must not replace another's.
      guid: createHash("sha256").update(`${personId} ${uri}`).digest("hex"),
      person_id: personId,
      uri,
      details: "{}",
      created_at: now,
      origin,
    })
    .onConflict((conflict) => conflict.columns([...KEY]).doNothing())
    .execute();
  await deleteEarlyBeyond(tx, { origin, personId }, MAX_EARLY_OF_PERSON);
  await deleteEarlyBeyond(tx, { origin }, MAX_EARLY_OF_ORIGIN);
}

async function deleteEarlyBeyond(
  tx: Tx,
  of: { readonly origin: string; readonly personId?: PersonId },
  most: number,
): Promise<void> {
  const { origin, personId } = of;
  await tx
    .deleteFrom("tombstones")
    .where("kind", "=", "Unknown")
    .where("guid", "in", (eb) => {
      const early = eb
        .selectFrom("tombstones as early")
        .select("early.guid")
        .where("early.origin", "=", origin)
        .orderBy("early.created_at", "desc")
        .orderBy("early.guid")
        .offset(most)
        .limit(REMOVED_AT_ONCE);
      return personId === undefined
        ? early
        : early.where("early.person_id", "=", personId);
    })
    .execute();
}

/** Deletes early retractions whose thing has not arrived since. */
export async function deleteEarlyTombstonesBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("tombstones")
    .where("origin", "is not", null)
    .where("created_at", "<", time)
    .execute();
}

export async function countEarlyTombstonesBefore(
  reader: Reader,
  time: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("tombstones")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("origin", "is not", null)
    .where("created_at", "<", time)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Identifies a deleted thing by its author as well: others may have used the same Guid. */
export type RetractedThing = {
  readonly kind: RetractedKind;
  readonly guid: string;
  readonly personId: PersonId;
};

/** Also finds tombstones that a move has already reassigned to the author's new person. */
export async function findTombstone(
  reader: Reader,
  { kind, guid, personId }: RetractedThing,
): Promise<Retraction | undefined> {
  const row = await selectTombstones(reader, kind, guid)
    .where((eb) =>
      eb.or([
        eb("person_id", "=", personId),
        eb(
          "person_id",
          "=",
          eb
            .selectFrom("people")
            .select("moved_to_id")
            .where("id", "=", personId),
        ),
      ]),
    )
    .orderBy(sql<boolean>`person_id <> ${personId}`)
    .limit(1)
    .executeTakeFirst();
  return row && toRetraction(row);
}

/** The tombstone of a local person's thing with this Guid. */
export async function findTombstoneOfUser(
  reader: Reader,
  kind: RetractedKind,
  guid: string,
): Promise<Retraction | undefined> {
  const row = await selectTombstones(reader, kind, guid)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("people")
          .select("people.id")
          .whereRef("people.id", "=", "tombstones.person_id")
          .where("people.user_id", "is not", null),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row && toRetraction(row);
}

/** The retractions of several authors under one Guid, the latest first. */
export async function listTombstones(
  reader: Reader,
  kind: RetractedKind,
  guid: string,
  limit: number,
): Promise<Retraction[]> {
  const rows = await selectTombstones(reader, kind, guid)
    .orderBy("created_at", "desc")
    .orderBy("person_id")
    .limit(limit)
    .execute();
  return rows.map(toRetraction);
}

function selectTombstones(reader: Reader, kind: RetractedKind, guid: string) {
  return reader
    .selectFrom("tombstones")
    .select(["guid", "person_id", "uri", "details"])
    .where("kind", "=", STORED_RETRACTED_KINDS[kind])
    .where("guid", "=", guid);
}

function toRetraction(row: {
  guid: string;
  person_id: PersonId;
  uri: string | null;
  details: string;
}): Retraction {
  const details = loadDetails(row.details);
  return {
    kind: details.kind,
    guid: row.guid,
    personId: row.person_id,
    uri: row.uri,
    details,
  };
}

/** Removes the mentioned people from the tombstone once they have been notified. */
export async function forgetMentioned(
  tx: Tx,
  thing: RetractedThing,
): Promise<void> {
  const found = await findTombstone(tx, thing);
  if (!found || !("mentioned" in found.details)) return;
  const { mentioned: _, ...rest } = found.details;
  await tx
    .updateTable("tombstones")
    .set({ details: storeDetails(rest) })
    .where("kind", "=", STORED_RETRACTED_KINDS[thing.kind])
    .where("guid", "=", thing.guid)
    .where("person_id", "=", found.personId)
    .execute();
}

/** Was this, by Guid or by URI, retracted by the person who claims to be its author? */
export async function isRetracted(
  reader: Reader,
  thing: {
    kind: RetractedKind;
    /** null if it was just generated, so that no retraction can name it. */
    guid: string | null;
    uri: string | null;
    personId: PersonId;
  },
): Promise<boolean> {
  const { kind, guid, uri, personId } = thing;
  const [byGuid] =
    guid === null
      ? []
      : await findRetractedGuid(reader, {
          kind: STORED_RETRACTED_KINDS[kind],
          guid,
          personId,
        });
  if (byGuid !== undefined || uri === null) return byGuid !== undefined;
  const [byUri] = await findRetractedUri(reader, { uri, personId });
  return byUri !== undefined;
}

/** Was anything of this URI retracted, by anyone? */
export async function hasTombstone(
  reader: Reader,
  uri: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom("tombstones")
    .select("uri")
    .where("uri", "=", uri)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Was this retracted before it arrived? Deletes the early tombstone. */
export async function takeEarlyTombstone(
  tx: Tx,
  uri: string,
  personId: PersonId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("tombstones")
    .where("kind", "=", "Unknown")
    .where("uri", "=", uri)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const findRetractedGuid = prepareQuery<
  { kind: string; guid: string; personId: PersonId },
  { guid: string }
>(
  (reader, value) =>
    reader
      .selectFrom("tombstones")
      .select("guid")
      .where("kind", "=", value("kind"))
      .where("guid", "=", value("guid"))
      .where("person_id", "=", value("personId"))
      .compile(),
  { types: { kind: "text", guid: "text", personId: "bigint" } },
);
const findRetractedUri = prepareQuery<
  { uri: string; personId: PersonId },
  { guid: string }
>(
  (reader, value) =>
    reader
      .selectFrom("tombstones")
      .select("guid")
      .where("uri", "=", value("uri"))
      // The plus keeps SQLite from scanning all retractions of the person instead.
      .where(sql<number>`+person_id`, "=", value("personId"))
      .limit(1)
      .compile(),
  { types: { uri: "text", personId: "bigint" } },
);
