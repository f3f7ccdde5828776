import { createHash } from "node:crypto";
import type { Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/**
 * Records that an activity of this name is forwarded.
 * @returns false if it was before
 */
export async function noteForwarded(
  tx: Tx,
  name: string,
  now: Timestamp,
): Promise<boolean> {
  const digest = createHash("sha256").update(name).digest("hex");
  const row = await tx
    .insertInto("forwarded_activities")
    .values({ digest, forwarded_at: now })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .returning("digest")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes records that are too old for a repeat. */
export async function deleteForwardedBefore(
  tx: Tx,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("forwarded_activities")
    .where("forwarded_at", "<", time)
    .execute();
}
