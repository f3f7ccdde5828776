import type { DialectName, Reader, Tx } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";

/** How a user here and a person stand to each other. */
export type Contact = {
  readonly userId: UserId;
  readonly personId: PersonId;
  /** The user has the person in an aspect. */
  readonly following: boolean;
  /** The person shares with the user. */
  readonly sharing: boolean;
  /** Names our Follow for its answer and its undoing; null where we never followed. */
  readonly followGuid: string | null;
  readonly followAccepted: boolean;
  /** The id of the Follow by which the person shares, where it gave one. */
  readonly sharingUri: string | null;
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

export async function findContactByFollow(
  reader: Reader,
  followGuid: string,
): Promise<Contact | undefined> {
  const row = await reader
    .selectFrom("contacts")
    .selectAll()
    .where("follow_guid", "=", followGuid)
    .executeTakeFirst();
  return row && toContact(row);
}

/** At most as many as the users whom one Follow of a person named. */
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
  return rows.map(({ user_id }) => user_id as UserId);
}

function toContact(row: {
  user_id: number;
  person_id: number;
  following: boolean | number;
  sharing: boolean | number;
  follow_guid: string | null;
  follow_accepted: boolean | number;
  sharing_uri: string | null;
  updated_at: Timestamp;
}): Contact {
  return {
    userId: row.user_id as UserId,
    personId: row.person_id as PersonId,
    following: Boolean(row.following),
    sharing: Boolean(row.sharing),
    followGuid: row.follow_guid,
    followAccepted: Boolean(row.follow_accepted),
    sharingUri: row.sharing_uri,
    updatedAt: row.updated_at,
  };
}

export async function saveFollowing(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  change: { following: boolean; followGuid: string; accepted: boolean },
  now: Timestamp,
): Promise<void> {
  const columns = {
    following: change.following,
    follow_guid: change.followGuid,
    follow_accepted: change.accepted,
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
      follow_guid: null,
      follow_accepted: false,
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

export async function saveFollowAccepted(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  accepted: boolean,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({ follow_accepted: accepted, updated_at: now })
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .where("follow_accepted", "<>", accepted)
    .execute();
}

/**
 * The person does not count these users among its followers any more, unless something
 * was changed since a time.
 */
export async function endAcceptedFollows(
  tx: Tx,
  dialect: DialectName,
  personId: PersonId,
  userIds: readonly UserId[],
  { since, now }: { readonly since: Timestamp; readonly now: Timestamp },
): Promise<void> {
  const list = JSON.stringify(userIds);
  await tx
    .updateTable("contacts")
    .set({ follow_accepted: false, updated_at: now })
    .where("person_id", "=", personId)
    .where("follow_accepted", "=", true)
    .where("updated_at", "<", since)
    .where(isOneOf(dialect, "user_id", list, "bigint"))
    .execute();
}

/** Of somebody who is gone, on both sides. @returns how many went */
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
