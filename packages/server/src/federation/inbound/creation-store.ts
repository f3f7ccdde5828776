import { prepareQuery } from "../../db/prepared-query.ts";
import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** A creating activity and its object: digests of their ids. */
export type Creation = { readonly activity: string; readonly object: string };

type NewCreation = Creation & { readonly now: Timestamp };

const insertNew = prepareQuery<NewCreation, { activity: string }>(
  (reader, value) =>
    reader
      .insertInto("creations")
      .values({
        activity: value("activity"),
        object: value("object"),
        created_at: value("now"),
      })
      .onConflict((conflict) => conflict.column("activity").doNothing())
      .returning("activity")
      .compile(),
  {
    types: { activity: "text", object: "text", now: "text" },
    by: "activity",
  },
);

/** @returns false if the activity created another object before */
export async function insertCreation(
  tx: Tx,
  { activity, object }: Creation,
  now: Timestamp,
): Promise<boolean> {
  const noted = await insertNew(tx, { activity, object, now });
  if (noted.length > 0) return true;
  const known = await tx
    .selectFrom("creations")
    .select("object")
    .where("activity", "=", activity)
    .executeTakeFirst();
  return known?.object === object;
}

export async function deleteCreationsBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx.deleteFrom("creations").where("created_at", "<", time).execute();
}
