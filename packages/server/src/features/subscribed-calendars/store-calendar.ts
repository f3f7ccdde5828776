import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { ParsedCalendar } from "./parse-calendar.ts";
import type { ReadAnswer } from "./read-calendar.ts";
import {
  deleteSubscribedObject,
  listDigests,
  saveSubscribedObject,
  updateSubscribedTimes,
} from "./subscribed-object-store.ts";
import { updateAsRead } from "./subscription-store.ts";
import { understandingIn, type SubscriptionState } from "./subscription.ts";

/** The text of a calendar as it was read. */
export type CalendarText = Extract<ReadAnswer, { kind: "read" }> & {
  readonly digest: string;
  /** Undefined if neither the text nor the way to understand it has changed. */
  readonly parsed: ParsedCalendar | undefined;
};

/** Makes the objects of a subscription those that were read. */
export async function storeCalendar(
  tx: Tx,
  state: SubscriptionState,
  { etag, lastModified, digest, parsed }: CalendarText,
  now: Timestamp,
): Promise<void> {
  const { id, currentZone } = state;
  const understanding = understandingIn(currentZone);
  const counts = parsed
    ? await storeObjects(tx, state, parsed)
    : { changes: state.changes, hasRemoved: false };
  const read = {
    ...{ etag, lastModified, digest, understanding, ...counts },
    ...(parsed && { hints: parsed }),
    isChanged: counts.changes !== state.changes,
  };
  await updateAsRead(tx, id, read, now);
}

async function storeObjects(
  tx: Tx,
  { id, understanding, currentZone, ...state }: SubscriptionState,
  { objects }: ParsedCalendar,
): Promise<{ readonly changes: number; readonly hasRemoved: boolean }> {
  const known = await listDigests(tx, id);
  const isUnderstood = understanding === understandingIn(currentZone);
  let { changes } = state;
  for (const object of objects) {
    if (known.get(object.name) !== object.digest)
      await saveSubscribedObject(tx, id, object, (changes += 1));
    else if (!isUnderstood) await updateSubscribedTimes(tx, id, object);
    known.delete(object.name);
  }
  for (const name of known.keys()) await deleteSubscribedObject(tx, id, name);
  const hasRemoved = known.size > 0;
  return { changes: hasRemoved ? changes + 1 : changes, hasRemoved };
}
