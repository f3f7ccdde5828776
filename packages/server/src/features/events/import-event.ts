import { CalendarDataError } from "../../lib/icalendar/calendar-data.ts";
import type { Recurrence } from "../../lib/icalendar/occurrences.ts";
import { parseObject } from "../../lib/icalendar/objects/parse-object.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import { lockNames } from "../../db/lock-names.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CalendarId } from "../ids.ts";
import { refuseMoved } from "../moved.ts";
import type { Author } from "../posts/index.ts";
import { checkCalendar, type EventsDeps } from "./create-event.ts";
import { findEvent } from "./event-queries.ts";
import { insertEvent } from "./event-store.ts";
import { eventOfObject } from "./objects/event-of-object.ts";
import { noteNewEvent } from "./objects/note-change.ts";
import { countObjects, findNameOfUid } from "./objects/object-store.ts";
import { MAX_OBJECTS } from "./objects/put-object.ts";
import { markReminders } from "./reminders/due-reminder-store.ts";
import { keptRecurrence } from "./series/kept-recurrence.ts";
import {
  readCapacity,
  readDetails,
  type CalendarEvent,
  type EventDetails,
  type EventStatus,
  type TypedEvent,
} from "./event.ts";

/** An event that its owner planned elsewhere. */
export type ImportEvent = {
  readonly owner: Author;
  /** Derived from the event in its archive, so that it is imported once. */
  readonly guid: string;
  /** The iCalendar UID, by which programs know it; made from the Guid if blank. */
  readonly uid: string;
  /** The owner's; null for none. */
  readonly calendarId: CalendarId | null;
  readonly details: TypedEvent;
  readonly recurrence: Recurrence | null;
  readonly status: EventStatus;
  readonly capacity: number | null;
  readonly needsApproval: boolean;
  /** As a calendar program wrote it; null without one. */
  readonly text: string | null;
  /** RFC 3339; never in the future. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** For the rules of all series of one import. */
  readonly budget: WorkBudget;
};

const MAX_UID_LENGTH = 1000;

/**
 * Stores an old event, once, for its owner alone, even if others saw it before. Records no fact: nobody
 * is notified, and no other server gets it. Its owner is reminded of it as usual.
 * @returns `known` if it was imported before, or the calendar has one of its UID; `full` if the
 *   calendar has no place
 * @throws {KithError} `invalid_datetime`, `bad_request`, `not_found` for another user's calendar
 */
export async function importEvent(
  deps: EventsDeps,
  input: ImportEvent,
): Promise<"added" | "full" | "known"> {
  const { owner, guid, calendarId } = input;
  const { timeZone } = await deps.accounts.getSettings(owner.userId);
  const read = readText(input, timeZone) ?? readFields(input, timeZone);
  const uid = read.uid || `${guid}@${deps.handleHost}`;
  const capacity = readCapacity(input.capacity) ?? null;
  const writing = deps.db.transaction(async (tx) => {
    await refuseMoved(tx, owner.personId);
    await lockNames(tx, deps.db.dialect, [guid]);
    if (await findEvent(tx, { guid })) return "known";
    await checkCalendar(deps, tx, owner, calendarId);
    if (calendarId !== null) {
      if ((await findNameOfUid(tx, calendarId, uid)) !== undefined)
        return "known";
      if ((await countObjects(tx, calendarId)) >= MAX_OBJECTS) return "full";
    }
    const now = deps.clock.now();
    const { text, ...event } = read;
    const id = await insertEvent(
      tx,
      {
        ...{ ...event, uid, guid, calendarId, capacity },
        personId: owner.personId,
        aspectId: null,
        audience: "owner",
        public: calendarId === null,
        needsApproval: input.needsApproval,
        createdAt: receivedTimestamp(input.createdAt, now),
        updatedAt: receivedTimestamp(input.updatedAt, now),
      },
      now,
    );
    await noteNewEvent(deps, tx, { id, guid, calendarId }, { text });
    await markReminders(tx, { eventId: id }, now);
    return "added";
  });
  return notFoundIfGone(writing);
}

type ReadEvent = EventDetails &
  Pick<CalendarEvent, "recurrence" | "status" | "uid"> & {
    readonly text: string | null;
  };

/** @returns undefined for an event that no program wrote, or whose text cannot be read */
function readText(
  { text, budget, status }: ImportEvent,
  zone: string,
): ReadEvent | undefined {
  if (text === null) return undefined;
  try {
    const parsed = parseObject(text, zone);
    const event = eventOfObject(parsed, zone, budget);
    // Programs know no postponed events: to them these are tentative.
    const isKept = status === "postponed" && event.status === "tentative";
    return { ...event, ...(isKept && { status }), uid: parsed.uid, text };
  } catch (error) {
    if (error instanceof CalendarDataError) return undefined;
    throw error;
  }
}

function readFields(input: ImportEvent, zone: string): ReadEvent {
  const { recurrence, status, uid, budget } = input;
  const details = readDetails(input.details, { timeZone: zone });
  return {
    ...{ ...details, status, text: null },
    uid: uid.length <= MAX_UID_LENGTH ? uid : "",
    recurrence: recurrence && keptRecurrence(recurrence, details, budget),
  };
}
