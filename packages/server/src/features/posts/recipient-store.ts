import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";

/** Adds recipients to a limited post. Existing recipients remain. */
export async function insertRecipients(
  tx: Tx,
  postId: PostId,
  people: readonly PersonId[],
): Promise<void> {
  if (people.length === 0) return;
  await sql`insert into post_recipients (post_id, person_id)
    select ${postId}, people.id from people
    where ${isListed(tx, "people.id", JSON.stringify(people))}
    order by people.id
    on conflict do nothing`.execute(tx);
}

/** Lists the recipients of several limited posts. */
export async function listRecipientsOf(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Map<PostId, PersonId[]>> {
  if (postIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("post_recipients")
    .select(["post_id", "person_id"])
    .where("post_id", "in", postIds)
    .orderBy("person_id")
    .execute();
  const byPost = Map.groupBy(rows, (row) => row.post_id);
  return new Map(
    [...byPost].map(([id, those]) => [id, those.map((row) => row.person_id)]),
  );
}

export async function listRecipientIds(
  reader: Reader,
  postId: PostId,
): Promise<PersonId[]> {
  const rows = await recipientsOf(reader, { postId });
  return rows.map((row) => row.person_id);
}

const recipientsOf = prepareQuery<{ postId: PostId }, { person_id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("post_recipients")
      .select("person_id")
      .where("post_id", "=", value("postId"))
      .compile(),
  { types: { postId: "bigint" } },
);

/** Subscribes a person to the activities on a public post. */
export async function insertSubscriber(
  tx: Tx,
  postId: PostId,
  personId: PersonId,
): Promise<void> {
  await tx
    .insertInto("post_subscribers")
    .values({ post_id: postId, person_id: personId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listSubscriberIds(
  reader: Reader,
  postId: PostId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("post_subscribers")
    .select("person_id")
    .where("post_id", "=", postId)
    .execute();
  return rows.map((row) => row.person_id);
}

/** @returns false if it was hidden before */
export async function insertHidden(
  tx: Tx,
  userId: UserId,
  postId: PostId,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("hidden_posts")
    .values({ user_id: userId, post_id: postId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function isHidden(
  reader: Reader,
  userId: UserId,
  postId: PostId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("hidden_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes what a person who has left received.
 * @returns how many rows were deleted
 */
export async function deleteSomeReceivedBy(
  tx: Tx,
  { personId, userId }: { personId: PersonId; userId: UserId | null },
  limit: number,
): Promise<number> {
  const { numDeletedRows: received } = await tx
    .deleteFrom("post_recipients")
    .where("person_id", "=", personId)
    .where("post_id", "in", (eb) =>
      eb
        .selectFrom("post_recipients as own")
        .select("own.post_id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  const { numDeletedRows: subscribed } = await tx
    .deleteFrom("post_subscribers")
    .where("person_id", "=", personId)
    .where("post_id", "in", (eb) =>
      eb
        .selectFrom("post_subscribers as own")
        .select("own.post_id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  const hidden =
    userId === null ? 0 : await deleteSomeHidden(tx, userId, limit);
  return Number(received) + Number(subscribed) + hidden;
}

async function deleteSomeHidden(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("hidden_posts")
    .where("user_id", "=", userId)
    .where("post_id", "in", (eb) =>
      eb
        .selectFrom("hidden_posts as own")
        .select("own.post_id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
