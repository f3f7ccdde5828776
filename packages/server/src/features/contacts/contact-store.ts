import type { InferResult } from "kysely";
import type { DialectName, Reader, Tx } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { NO_CHOICES, type FollowChoices } from "./follow-choices.ts";

/** The relationship between a local user and a person. */
export type Contact = {
  readonly userId: UserId;
  readonly personId: PersonId;
  /** The user has the person in an aspect. */
  readonly following: boolean;
  /** The person shares with the user. */
  readonly sharing: boolean;
  /**
   * Identifies the user's follow request, to match its answer and to undo it; null if none
   * was ever sent.
   */
  readonly requestGuid: string | null;
  /** Has the person accepted the user's follow? */
  readonly isConfirmed: boolean;
  /** Has the person refused it? */
  readonly isRefused: boolean;
  /** The id of the message by which the person shares, if it had one. */
  readonly sharingUri: string | null;
  /** The choices about a followed person. */
  readonly choices: FollowChoices;
  readonly updatedAt: Timestamp;
};

export async function findContact(
  reader: Reader,
  userId: UserId,
  personId: PersonId,
): Promise<Contact | undefined> {
  const row = await reader
    .selectFrom("contacts")
    .selectAll()
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && toContact(row);
}

/** The contacts of a user among these people. */
export async function listContactsAmong(
  reader: Reader,
  userId: UserId,
  personIds: readonly PersonId[],
): Promise<Map<PersonId, Contact>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("contacts")
    .selectAll()
    .where("user_id", "=", userId)
    .where(isListed(reader, "contacts.person_id", JSON.stringify(personIds)))
    .execute();
  return new Map(rows.map((row) => [row.person_id, toContact(row)]));
}

export async function findContactByRequest(
  reader: Reader,
  requestGuid: string,
): Promise<Contact | undefined> {
  const row = await reader
    .selectFrom("contacts")
    .selectAll()
    .where("request_guid", "=", requestGuid)
    .executeTakeFirst();
  return row && toContact(row);
}

/** Returns at most as many users as one message of a person can name. */
export async function findUsersSharedWithBy(
  reader: Reader,
  personId: PersonId,
  sharingUri: string,
  limit: number,
): Promise<UserId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .select("user_id")
    .where("person_id", "=", personId)
    .where("sharing_uri", "=", sharingUri)
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

function toContact(row: {
  user_id: UserId;
  person_id: PersonId;
  following: boolean | number;
  sharing: boolean | number;
  request_guid: string | null;
  confirmed: boolean | number;
  refused: boolean | number;
  sharing_uri: string | null;
  hides_reshares: boolean | number;
  notifies: boolean | number;
  languages: JsonText<readonly string[]> | null;
  featured: boolean | number;
  updated_at: Timestamp;
}): Contact {
  return {
    userId: row.user_id,
    personId: row.person_id,
    following: Boolean(row.following),
    sharing: Boolean(row.sharing),
    requestGuid: row.request_guid,
    isConfirmed: Boolean(row.confirmed),
    isRefused: Boolean(row.refused),
    sharingUri: row.sharing_uri,
    choices: {
      reshares: !row.hides_reshares,
      notify: Boolean(row.notifies),
      languages: row.languages === null ? [] : loadJson(row.languages),
      featured: Boolean(row.featured),
    },
    updatedAt: row.updated_at,
  };
}

/** Saves whether the user follows the person, with no choices yet. */
export async function saveFollowing(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  change: { following: boolean; requestGuid: string; isConfirmed: boolean },
  now: Timestamp,
): Promise<void> {
  const columns = {
    following: change.following,
    request_guid: change.requestGuid,
    confirmed: change.isConfirmed,
    refused: false,
    ...columnsOf(NO_CHOICES),
    updated_at: now,
  };
  await tx
    .insertInto("contacts")
    .values({
      user_id: userId,
      person_id: personId,
      sharing: false,
      created_at: now,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "person_id"]).doUpdateSet(columns),
    )
    .execute();
}

const columnsOf = ({
  reshares,
  notify,
  languages,
  featured,
}: FollowChoices) => ({
  hides_reshares: !reshares,
  notifies: notify,
  languages: languages.length === 0 ? null : storeJson(languages),
  featured,
});

export async function saveFollowChoices(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  choices: FollowChoices,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({ ...columnsOf(choices), updated_at: now })
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .execute();
}

/** Lists the contacts of users who want to be notified of each post of the person. */
export async function listNotifiedOf(
  reader: Reader,
  personId: PersonId,
): Promise<Contact[]> {
  const rows = await notifiedOf(reader, { personId });
  return rows.map(toContact);
}

const selectNotified = (reader: Reader, personId: PersonId) =>
  reader
    .selectFrom("contacts")
    .selectAll()
    .where("person_id", "=", personId)
    .where("notifies", "=", true)
    .where("following", "=", true)
    .orderBy("user_id");

const notifiedOf = prepareQuery<
  { personId: PersonId },
  InferResult<ReturnType<typeof selectNotified>>[number]
>((reader, value) => selectNotified(reader, value("personId")).compile(), {
  types: { personId: "bigint" },
});

export async function saveSharing(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  sharing: boolean,
  now: Timestamp,
  sharingUri: string | null = null,
): Promise<void> {
  await tx
    .insertInto("contacts")
    .values({
      user_id: userId,
      person_id: personId,
      following: false,
      sharing,
      request_guid: null,
      confirmed: false,
      sharing_uri: sharingUri,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "person_id"])
        .doUpdateSet({ sharing, sharing_uri: sharingUri, updated_at: now }),
    )
    .execute();
}

/** Saves the person's answer to the user's follow. */
export async function saveConfirmed(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  isConfirmed: boolean,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({ confirmed: isConfirmed, refused: !isConfirmed, updated_at: now })
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .where((eb) =>
      eb.or([
        eb("confirmed", "<>", isConfirmed),
        eb("refused", "=", isConfirmed),
      ]),
    )
    .execute();
}

/**
 * Marks the person's confirmation of these users' follows as ended, except where the
 * contact has changed since the given time.
 */
export async function endConfirmed(
  tx: Tx,
  dialect: DialectName,
  personId: PersonId,
  userIds: readonly UserId[],
  { since, now }: { readonly since: Timestamp; readonly now: Timestamp },
): Promise<void> {
  const list = JSON.stringify(userIds);
  await tx
    .updateTable("contacts")
    .set({ confirmed: false, updated_at: now })
    .where("person_id", "=", personId)
    .where("confirmed", "=", true)
    .where("updated_at", "<", since)
    .where(isOneOf(dialect, "user_id", list, "bigint"))
    .execute();
}

/**
 * Deletes some contacts of a person who has left, on both sides.
 * @returns how many were deleted
 */
export async function deleteSomeContactsOf(
  tx: Tx,
  { personId, userId }: { personId: PersonId; userId: UserId | null },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("contacts")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("contacts as own")
        .select("own.id")
        .where((or) =>
          or.or([
            or("own.person_id", "=", personId),
            ...(userId === null ? [] : [or("own.user_id", "=", userId)]),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
