import type { Reader, Tx } from "../../../db/db.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/**
 * An activity or object that could not be rendered again. Peers may fetch it by
 * its id.
 */
export type SentActivity = {
  readonly guid: string;
  readonly personId: PersonId;
  readonly public: boolean;
  /** The actor ids that may fetch it. */
  readonly addressees: readonly string[];
  /** JSON, as it was sent. */
  readonly document: string;
  /** It is an object, not an activity. */
  readonly isObject?: boolean;
};

/**
 * Stores an activity, unless it is stored already. @param expiresAt if it is
 * not kept as long as its author
 */
export async function insertSentActivity(
  tx: Tx,
  activity: SentActivity,
  now: Timestamp,
  expiresAt: Timestamp | null = null,
): Promise<void> {
  await tx
    .insertInto("sent_activities")
    .values({
      ...toColumns(activity),
      created_at: now,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column("guid").doNothing())
    .execute();
}

/**
 * Stores the answer to an activity until a time, in place of an earlier answer.
 * @param answers the answered activity
 */
export async function saveAnswer(
  tx: Tx,
  activity: SentActivity,
  answers: string,
  times: { readonly now: Timestamp; readonly expiresAt: Timestamp },
): Promise<void> {
  const columns = {
    ...toColumns(activity),
    created_at: times.now,
    expires_at: times.expiresAt,
  };
  await tx
    .insertInto("sent_activities")
    .values({ ...columns, answers })
    .onConflict((conflict) => conflict.column("answers").doUpdateSet(columns))
    .execute();
}

/** Deletes expired records. */
export async function deleteExpiredSent(tx: Tx, now: Timestamp): Promise<void> {
  await tx
    .deleteFrom("sent_activities")
    .where("expires_at", "<=", now)
    .execute();
}

/** Stores an activity as it is sent, in place of the former version. */
export async function saveSentActivity(
  tx: Tx,
  activity: SentActivity,
  now: Timestamp,
): Promise<void> {
  const columns = toColumns(activity);
  await tx
    .insertInto("sent_activities")
    .values({ ...columns, created_at: now })
    .onConflict((conflict) => conflict.column("guid").doUpdateSet(columns))
    .execute();
}

function toColumns(activity: SentActivity) {
  return {
    guid: activity.guid,
    person_id: activity.personId,
    public: activity.public,
    addressees: JSON.stringify(activity.addressees),
    document: activity.document,
    is_object: activity.isObject ?? false,
  };
}

export async function findSentActivity(
  reader: Reader,
  guid: string,
): Promise<SentActivity | undefined> {
  const row = await reader
    .selectFrom("sent_activities")
    .selectAll()
    .where("guid", "=", guid)
    .executeTakeFirst();
  return (
    row && {
      guid: row.guid,
      personId: row.person_id,
      public: Boolean(row.public),
      addressees: JSON.parse(row.addressees) as string[],
      document: row.document,
      isObject: Boolean(row.is_object),
    }
  );
}

/** @returns the number of deleted records */
export async function deleteSomeSentBy(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("sent_activities")
    .where("guid", "in", (eb) =>
      eb
        .selectFrom("sent_activities as own")
        .select("own.guid")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
