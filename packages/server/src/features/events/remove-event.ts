import type { Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { CalendarId, EventId, PersonId } from "../ids.ts";
import type { Author, PostKey } from "../posts/index.ts";
import { getOwnEvent, lockEvent } from "./change-event.ts";
import type { EventsDeps } from "./create-event.ts";
import {
  findEvent,
  findVisibleEvent,
  listEventsIn,
  listGuestsHere,
} from "./event-queries.ts";
import { deleteEvent, deletePersonalEvents } from "./event-store.ts";
import { noteRemovedEvent } from "./objects/note-change.ts";
import { untilInstant, type CalendarEvent, type EventKey } from "./event.ts";

type RemoveDeps = Pick<
  EventsDeps,
  "db" | "clock" | "facts" | "calendars" | "posts"
>;

/**
 * Deletes an event with its answers and retracts the posts with which its author announced
 * it: remote servers delete it with them.
 * @throws {KithError} `not_found`, also for an event of another person
 */
export async function removeEvent(
  deps: RemoveDeps,
  owner: Author,
  key: EventKey,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const event = await getOwnEvent(deps, tx, owner, key);
    if (!(await removeLocked(deps, tx, event)))
      throw new KithError("not_found", "Deleted meanwhile.");
  });
}

/**
 * Deletes a calendar with all its events.
 * @throws {KithError} `not_found`, also for a calendar of another person
 */
export async function removeCalendar(
  deps: RemoveDeps,
  owner: Author,
  id: CalendarId,
): Promise<void> {
  const { db, calendars } = deps;
  await db.transaction(async (tx) => {
    await calendars.lock(tx, owner.userId);
    const calendar = await calendars.get(owner.userId, id, tx);
    await deletePersonalEvents(tx, id);
    for (const event of await listEventsIn(tx, id))
      await removeLocked(deps, tx, event);
    await calendars.removeEmpty(tx, calendar);
  });
}

/**
 * Applies the retraction of a remote post. An event has no retraction of its own, so it is
 * deleted with the last post that has it attached.
 * @param by the person who retracts; only the author may
 * @returns false if this author has no such post
 */
export async function receiveAnnouncementRetraction(
  deps: RemoveDeps,
  key: PostKey,
  by: PersonId,
  outer?: Tx,
): Promise<boolean> {
  const { db, posts } = deps;
  return inTransaction(db, outer, async (tx) => {
    const post = await posts.find(key, tx);
    if (!(await posts.receiveRetraction(key, by, tx))) return false;
    if (post && post.eventId !== null)
      await removeUncarried(deps, tx, post.eventId, by);
    return true;
  });
}

async function removeUncarried(
  deps: RemoveDeps,
  tx: Tx,
  id: EventId,
  by: PersonId,
): Promise<void> {
  await lockEvent(deps.db, tx, { id });
  const event = await findEvent(tx, { id });
  if (event?.personId !== by) return;
  const announcements = await deps.posts.listWithEvent(id, by, tx);
  if (announcements.length === 0) await removeLocked(deps, tx, event);
}

/**
 * Removes an event that the caller has locked.
 * @returns false if it was deleted concurrently
 */
export async function removeLocked(
  deps: RemoveDeps,
  tx: Tx,
  event: CalendarEvent,
): Promise<boolean> {
  const { clock, posts, facts } = deps;
  const { id, guid, personId, summary } = event;
  const guests = await listGuestsOf(tx, event, timestamp(clock.now()));
  await noteRemovedEvent(deps, tx, id);
  for (const post of await posts.listWithEvent(id, personId, tx))
    await posts.receiveRetraction({ id: post.id }, personId, tx);
  await posts.detachEvent(tx, id);
  if (!(await deleteEvent(tx, id))) return false;
  await facts.record(tx, {
    ...{ type: "event.retracted", guid, by: personId },
    ...(guests.length > 0 && { guests, summary }),
  });
  return true;
}

/** The people here who would have come and see it: their answers are deleted with the event. */
async function listGuestsOf(
  tx: Tx,
  event: CalendarEvent,
  now: Timestamp,
): Promise<PersonId[]> {
  const guests = await listGuestsHere(tx, event.id);
  if (guests.length === 0) return [];
  if (untilInstant(event, event.recurrence) <= now) return [];
  const invited: PersonId[] = [];
  for (const guest of guests)
    if (await findVisibleEvent(tx, { id: event.id }, guest))
      invited.push(guest.personId);
  return invited;
}

/**
 * Deletes events of a deleted account: sends no retraction for each, and detaches them from
 * the posts of others.
 */
export async function removeEventsByIds(
  deps: Omit<RemoveDeps, "facts">,
  tx: Tx,
  ids: readonly EventId[],
): Promise<void> {
  const { db, posts } = deps;
  for (const id of ids) {
    await lockEvent(db, tx, { id });
    await noteRemovedEvent(deps, tx, id);
    await posts.detachEvent(tx, id);
    await deleteEvent(tx, id);
  }
}
