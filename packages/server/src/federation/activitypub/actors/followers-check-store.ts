import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** The last comparison of a remote actor's local followers with its list. */
export type FollowersCheck = {
  /** The digest that its server sent, and ours. */
  readonly theirs: string;
  readonly ours: string;
  readonly checkedAt: Timestamp;
};

export async function findFollowersCheck(
  reader: Reader,
  actorUri: string,
): Promise<FollowersCheck | undefined> {
  const row = await reader
    .selectFrom("followers_checks")
    .select(["theirs", "ours", "checked_at"])
    .where("actor_uri", "=", actorUri)
    .executeTakeFirst();
  return (
    row && { theirs: row.theirs, ours: row.ours, checkedAt: row.checked_at }
  );
}

export async function saveFollowersCheck(
  tx: Tx,
  actorUri: string,
  { theirs, ours, checkedAt }: FollowersCheck,
): Promise<void> {
  const columns = { theirs, ours, checked_at: checkedAt };
  await tx
    .insertInto("followers_checks")
    .values({ actor_uri: actorUri, ...columns })
    .onConflict((conflict) => conflict.column("actor_uri").doUpdateSet(columns))
    .execute();
}

export async function deleteFollowersChecksBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("followers_checks")
    .where("checked_at", "<", time)
    .execute();
}
