import type { Db } from "../../../db/db.ts";
import {
  timestamp,
  type Clock,
  type Timestamp,
} from "../../../lib/time/clock.ts";
import type { Session } from "../account.ts";
import { updateLastSeen } from "../account-store.ts";
import { findSession } from "../stores/session-store.ts";

/**
 * Is it time to record the user's presence again? Once a day of UTC: those who were here are
 * counted by such days.
 */
export function isUnseen(lastSeenAt: Timestamp | null, now: Date): boolean {
  const dayOf = (time: Timestamp) => time.slice(0, "YYYY-MM-DD".length);
  return lastSeenAt === null || dayOf(lastSeenAt) < dayOf(timestamp(now));
}

/** Finds the user of a session, and records once a day that the user was seen. */
export async function visit(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  secret: string,
): Promise<Session | undefined> {
  const now = clock.now();
  const found = await findSession(db.read, secret, timestamp(now));
  if (!found) return undefined;
  const { user, csrfToken, settings, lastSeenAt } = found;
  if (isUnseen(lastSeenAt, now))
    await db.transaction((tx) =>
      updateLastSeen(tx, user.userId, timestamp(now)),
    );
  return { user, csrfToken, settings };
}
