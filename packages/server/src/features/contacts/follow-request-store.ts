import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { fetchPageByTime, type Page } from "../page.ts";

/** Somebody's wish to follow a local user. */
export type StoredRequest = {
  readonly personId: PersonId;
  /** The id of the message that asked, if it had one. */
  readonly uri: string | null;
  readonly createdAt: Timestamp;
};

/** Does the user approve each follower? */
export async function isLocked(
  reader: Reader,
  userId: UserId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .select("profiles.locked")
    .where("people.user_id", "=", userId)
    .executeTakeFirst();
  return Boolean(row?.locked);
}

export async function findRequest(
  reader: Reader,
  userId: UserId,
  personId: PersonId,
): Promise<StoredRequest | undefined> {
  const row = await reader
    .selectFrom("follow_requests")
    .select(["person_id", "uri", "created_at"])
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && toRequest(row);
}

/** Those of these people who ask to follow the user. */
export async function listAskingAmong(
  reader: Reader,
  userId: UserId,
  personIds: readonly PersonId[],
): Promise<Set<PersonId>> {
  if (personIds.length === 0) return new Set();
  const rows = await reader
    .selectFrom("follow_requests")
    .select("person_id")
    .where("user_id", "=", userId)
    .where(isListed(reader, "person_id", JSON.stringify(personIds)))
    .execute();
  return new Set(rows.map((row) => row.person_id));
}

/** Does nothing if the person has asked already. */
export async function insertRequest(
  tx: Tx,
  userId: UserId,
  { personId, uri, createdAt }: StoredRequest,
): Promise<void> {
  await tx
    .insertInto("follow_requests")
    .values({
      ...{ user_id: userId, person_id: personId },
      ...{ uri, created_at: createdAt },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateRequestUri(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  uri: string,
): Promise<void> {
  await tx
    .updateTable("follow_requests")
    .set({ uri })
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .execute();
}

/** @returns the request, if there was one */
export async function deleteRequest(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
): Promise<StoredRequest | undefined> {
  const row = await tx
    .deleteFrom("follow_requests")
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .returning(["person_id", "uri", "created_at"])
    .executeTakeFirst();
  return row && toRequest(row);
}

/** Deletes the requests by a person, and those to its account if it has one here. */
export async function deleteRequestsOf(
  tx: Tx,
  { id, userId }: { readonly id: PersonId; readonly userId: UserId | null },
): Promise<void> {
  await tx
    .deleteFrom("follow_requests")
    .where((eb) =>
      eb.or([
        eb("person_id", "=", id),
        ...(userId === null ? [] : [eb("user_id", "=", userId)]),
      ]),
    )
    .execute();
}

/** Deletes the requests to a user by people on this host. */
export async function deleteRequestsFrom(
  tx: Tx,
  userId: UserId,
  host: string,
): Promise<void> {
  await tx
    .deleteFrom("follow_requests")
    .where("user_id", "=", userId)
    .where("person_id", "in", (eb) =>
      eb
        .selectFrom("people")
        .select("people.id")
        .where("people.host", "=", host),
    )
    .execute();
}

/** Lists one page of those who are still there, the newest requests first. */
export async function listRequests(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<StoredRequest[]> {
  const rows = await fetchPageByTime(selectShown(reader, userId), page, {
    time: "follow_requests.created_at",
    id: "follow_requests.person_id",
    order: "newest first",
  });
  return rows.map(toRequest);
}

/** Counts the requests that are listed, up to `most`. */
export async function countRequests(
  reader: Reader,
  userId: UserId,
  most: number,
): Promise<number> {
  const rows = await selectShown(reader, userId).limit(most).execute();
  return rows.length;
}

/** Is the limit of requests to one user reached, whoever made them? */
export async function hasRequests(
  reader: Reader,
  userId: UserId,
  limit: number,
): Promise<boolean> {
  const row = await reader
    .selectFrom("follow_requests")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns at most as many users as one message of a person can name. */
export async function findUsersAskedBy(
  reader: Reader,
  personId: PersonId,
  uri: string,
  limit: number,
): Promise<UserId[]> {
  const rows = await reader
    .selectFrom("follow_requests")
    .select("user_id")
    .where("person_id", "=", personId)
    .where("uri", "=", uri)
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** People who are suspended or have left are not shown. */
function selectShown(reader: Reader, userId: UserId) {
  return reader
    .selectFrom("follow_requests")
    .innerJoin("people", "people.id", "follow_requests.person_id")
    .select([
      "follow_requests.person_id",
      "follow_requests.uri",
      "follow_requests.created_at",
    ])
    .where("follow_requests.user_id", "=", userId)
    .where("people.state", "=", "active");
}

function toRequest(row: {
  person_id: PersonId;
  uri: string | null;
  created_at: Timestamp;
}): StoredRequest {
  return {
    personId: row.person_id,
    uri: row.uri,
    createdAt: row.created_at,
  };
}
