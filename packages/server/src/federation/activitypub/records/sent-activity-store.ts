import type { Reader, Tx } from "../../../db/db.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** An activity, or an object, that nothing but this record could render again. Peers may ask for it by its id. */
export type SentActivity = {
  readonly guid: string;
  readonly personId: PersonId;
  readonly public: boolean;
  /** The actor ids that may see it. */
  readonly addressees: readonly string[];
  /** JSON, as it was sent. */
  readonly document: string;
  /** It is no activity, and answers as an object. */
  readonly isObject?: boolean;
};

/** Keeps an activity. One that is kept already stays as it is. @param expiresAt where not for as long as its author */
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
 * Keeps the answer to something until a time, in the place of an earlier answer to it.
 * @param answers what it answers
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

/** Forgets what is kept no longer. */
export async function deleteExpiredSent(tx: Tx, now: Timestamp): Promise<void> {
  await tx
    .deleteFrom("sent_activities")
    .where("expires_at", "<=", now)
    .execute();
}

/** Keeps an activity as it is sent, in the place of what was kept before. */
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

/** @returns how many went */
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
