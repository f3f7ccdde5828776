import type { Tx } from "../../db/db.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { storeList } from "../stored-list.ts";
import { isSame, lockEvent } from "./change-event.ts";
import type { EventsDeps } from "./create-event.ts";
import { findEvent } from "./event-queries.ts";
import { updateReceivedEvent } from "./event-store.ts";
import { markReminders } from "./reminders/due-reminder-store.ts";
import { insertEventVersion } from "./event-version-store.ts";
import type { EventDetails, EventKey, EventStatus } from "./event.ts";

/** The new version of a remote event. */
export type ReceivedChange = EventDetails & {
  readonly status?: EventStatus;
  readonly capacity?: number | null;
  readonly needsApproval?: boolean;
  readonly categories?: readonly string[];
};

/**
 * Applies a change by the remote author. The recipients remain, and attendees are notified.
 * Changes nothing if all details are the same.
 * @param by the person who changed it; only the author may
 * @param changedAt ignored as outdated if older than the last change
 * @returns false if this author has no such event
 */
export async function receiveEventChange(
  {
    db,
    clock,
    facts,
    indexing,
  }: Pick<EventsDeps, "clock" | "db" | "facts" | "indexing">,
  key: EventKey,
  by: PersonId,
  change: ReceivedChange,
  changedAt: Timestamp = timestamp(clock.now()),
): Promise<boolean> {
  return db.transaction((tx) =>
    applyChange({ db, clock, facts, indexing }, tx, key, by, change, changedAt),
  );
}

/** The same, within a transaction. */
export async function applyChange(
  {
    db,
    clock,
    facts,
    indexing,
  }: Pick<EventsDeps, "clock" | "db" | "facts" | "indexing">,
  tx: Tx,
  key: EventKey,
  by: PersonId,
  change: ReceivedChange,
  changedAt: Timestamp,
): Promise<boolean> {
  const seen = await findEvent(tx, key);
  if (seen) await lockEvent(db, tx, seen);
  const event = seen && (await findEvent(tx, { id: seen.id }));
  if (event?.personId !== by) return false;
  const isLate = changedAt < event.updatedAt;
  const {
    status = event.status,
    capacity = event.capacity,
    needsApproval = event.needsApproval,
    categories = event.categories,
  } = change;
  const changed = { ...change, status, capacity, needsApproval, categories };
  const isNew =
    !isSame(changed, event) ||
    status !== event.status ||
    capacity !== event.capacity ||
    needsApproval !== event.needsApproval ||
    storeList(categories) !== storeList(event.categories);
  if (isLate || !isNew) return true;
  if (!isSame(changed, event) || status !== event.status)
    await insertEventVersion(tx, event);
  await updateReceivedEvent(tx, event.id, changed, changedAt);
  await markReminders(tx, { eventId: event.id }, clock.now());
  await indexing.renewPostsWith(tx, event.id);
  await facts.record(tx, { type: "event.changed", eventId: event.id, by });
  return true;
}
