import type { Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AspectId, CalendarId } from "../ids.ts";
import type { Author } from "../posts/index.ts";
import { renewAnnouncement } from "./announcement.ts";
import { checkCalendar, type EventsDeps } from "./create-event.ts";
import { findEvent } from "./event-queries.ts";
import { updateEvent } from "./event-store.ts";
import { markReminders } from "./reminders/due-reminder-store.ts";
import { noteChangedEvent } from "./objects/note-change.ts";
import { insertEventVersion } from "./event-version-store.ts";
import { changeOccurrence } from "./series/change-occurrence.ts";
import {
  isSameRecurrence,
  readRecurrence,
  type TypedRecurrence,
} from "./series/typed-recurrence.ts";
import {
  readCapacity,
  readDetails,
  type CalendarEvent,
  type EventDetails,
  type EventKey,
  type TypedEvent,
} from "./event.ts";

export type ChangeEvent = TypedEvent & {
  /** Of the series; with an occurrence, the details are those of it alone. */
  readonly recurrence?: TypedRecurrence | undefined;
  /** When the series has the one begin that alone is changed. */
  readonly occurrence?: string | undefined;
  /** Of this one: does it take place? */
  readonly isCancelled?: boolean | undefined;
  /** null removes it from its calendar. */
  readonly calendarId?: CalendarId | null | undefined;
  /** The audience of an event cannot change: only the present value is accepted. */
  readonly aspectId?: AspectId | null | undefined;
  readonly announce?: boolean | undefined;
  /** The number of places; null for as many as want to come. */
  readonly capacity?: number | null | undefined;
  /** Does the owner confirm each new guest? The present ones remain. */
  readonly needsApproval?: boolean | undefined;
};

type ChangeDeps = Pick<
  EventsDeps,
  "db" | "clock" | "facts" | "calendars" | "indexing" | "posts"
>;

/**
 * Changes the given fields and leaves the rest. Rewrites the announcements and notifies the
 * event's recipients.
 * @throws {KithError} `not_found` for an event or calendar of another user,
 * `invalid_datetime`, `bad_request`
 */
export async function changeEvent(
  deps: ChangeDeps,
  owner: Author,
  key: EventKey,
  changes: ChangeEvent,
): Promise<CalendarEvent> {
  const { db } = deps;
  const writing = db.transaction(async (tx) => {
    const event = await getOwnEvent(deps, tx, owner, key);
    refuseOtherAudience(event, changes);
    const { calendarId = event.calendarId } = changes;
    const { needsApproval = event.needsApproval } = changes;
    const wanted = readCapacity(changes.capacity);
    const capacity = wanted === undefined ? event.capacity : wanted;
    const { details, recurrence } = readChanges(event, changes);
    const isKept =
      calendarId === event.calendarId &&
      capacity === event.capacity &&
      needsApproval === event.needsApproval &&
      isSame(details, event) &&
      isSameRecurrence(recurrence, event.recurrence);
    if (isKept) return event;
    refuseMovedSeries(event, details);
    await checkCalendar(deps, tx, owner, changes.calendarId);
    const after = { ...details, calendarId, recurrence };
    await noteChangedEvent(deps, tx, event, after);
    const { status } = event;
    await storeChange(deps, tx, event, {
      ...{ details, calendarId, capacity, needsApproval },
      ...{ status, recurrence },
    });
    const stored = await findEvent(tx, { id: event.id });
    if (!stored) throw new KithError("not_found", "Deleted meanwhile.");
    return stored;
  });
  return notFoundIfGone(writing);
}

type Stored = Pick<CalendarEvent, "calendarId" | "recurrence" | "status"> & {
  readonly details: EventDetails;
  /** Absent: unchanged, as is the next. */
  readonly capacity?: CalendarEvent["capacity"];
  readonly needsApproval?: boolean;
};

/** Stores a checked change of an event that the caller has locked, and announces it. */
export async function storeChange(
  deps: Omit<ChangeDeps, "calendars" | "db">,
  tx: Tx,
  event: CalendarEvent,
  { details, ...stored }: Stored,
): Promise<void> {
  const { clock, facts } = deps;
  const { recurrence } = stored;
  await renewAnnouncements(deps, tx, event, { ...details, recurrence });
  if (!isSame(details, event) || stored.status !== event.status)
    await insertEventVersion(tx, event);
  const changed = {
    ...{ ...details, ...stored },
    public: stored.calendarId === null,
  };
  await updateEvent(tx, event.id, changed, timestamp(clock.now()));
  await markReminders(tx, { eventId: event.id }, clock.now());
  await deps.indexing.renewPostsWith(tx, event.id);
  const { id: eventId, personId: by } = event;
  await facts.record(tx, { type: "event.changed", eventId, by });
}

function readChanges(
  event: CalendarEvent,
  { recurrence: repeats, occurrence, isCancelled, ...typed }: ChangeEvent,
): Pick<Stored, "details" | "recurrence"> {
  if (occurrence !== undefined && repeats)
    throw new KithError(
      "bad_request",
      "Either the series is changed, or one event of it.",
    );
  if (occurrence !== undefined) {
    const one = { ...typed, occurrence, isCancelled };
    return { details: event, recurrence: changeOccurrence(event, one) };
  }
  if (isCancelled !== undefined)
    throw new KithError(
      "bad_request",
      "Only one event of a series can be cancelled by that.",
    );
  const details = readDetails(typed, event);
  const recurrence = repeats
    ? readRecurrence(repeats, details, event.recurrence)
    : event.recurrence;
  return { details, recurrence };
}

const TIMES = ["allDay", "start", "end", "timeZone"] as const;

/** Its exceptions are named by its times: a program that shows the series can move it. */
function refuseMovedSeries(event: CalendarEvent, details: EventDetails): void {
  const { added = [], removed = [], changed = [] } = event.recurrence ?? {};
  const hasExceptions = [added, removed, changed].some(
    (them) => them.length > 0,
  );
  if (hasExceptions && TIMES.some((name) => details[name] !== event[name]))
    throw new KithError(
      "bad_request",
      "The time of a series with exceptions can only be changed in a calendar program.",
    );
}

/** Rewrites the announcements of an event, except texts that the owner wrote. */
async function renewAnnouncements(
  { posts }: Pick<EventsDeps, "posts">,
  tx: Tx,
  event: CalendarEvent,
  details: EventDetails & Pick<CalendarEvent, "recurrence">,
): Promise<void> {
  for (const post of await posts.listWithEvent(event.id, event.personId, tx)) {
    const text = renewAnnouncement(post.text, event, details);
    if (text !== undefined) await posts.changeText(tx, post, text);
  }
}

/**
 * Loads an event of this owner and locks it until the transaction ends.
 * @throws {KithError} `not_found`, also for an event of another person
 */
export async function getOwnEvent(
  { db }: Pick<EventsDeps, "db">,
  tx: Tx,
  { personId }: Author,
  key: EventKey,
): Promise<CalendarEvent> {
  const seen = await findEvent(tx, key);
  if (seen?.personId === personId) await lockEvent(db, tx, seen);
  const event = seen && (await findEvent(tx, { id: seen.id }));
  if (event?.personId !== personId)
    throw new KithError("not_found", "No such event.");
  return event;
}

/** Serializes the transactions that change an event, answer it or attach it. */
export async function lockEvent(
  db: EventsDeps["db"],
  tx: Tx,
  { id }: Pick<CalendarEvent, "id">,
): Promise<void> {
  await lockKey(tx, db.dialect, `event:${id}`);
}

/** An event cannot be withdrawn from its recipients; an error is better than pretending to. */
function refuseOtherAudience(
  event: CalendarEvent,
  { aspectId, announce }: ChangeEvent,
): void {
  const isAnnounced = event.audience !== "owner";
  if (
    (aspectId !== undefined && aspectId !== event.aspectId) ||
    (announce !== undefined && announce !== isAnnounced)
  )
    throw new KithError(
      "bad_request",
      "The audience of an event cannot be changed.",
    );
}

const DETAILS = [
  "allDay",
  "start",
  "end",
  "summary",
  "description",
  "location",
  "timeZone",
] as const satisfies readonly (keyof EventDetails)[];

/** Are all details unchanged? */
export function isSame(details: EventDetails, event: CalendarEvent): boolean {
  return DETAILS.every((name) => details[name] === event[name]);
}
