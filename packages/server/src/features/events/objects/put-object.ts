import type { Tx } from "../../../db/db.ts";
import { parseObject } from "../../../lib/icalendar/objects/parse-object.ts";
import { WorkBudget } from "../../../lib/limits/work-budget.ts";
import { newGuid } from "../../../lib/guids.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { notFoundIfGone } from "../../gone-meanwhile.ts";
import type { CalendarId, PersonId } from "../../ids.ts";
import { refuseMoved } from "../../moved.ts";
import type { Author } from "../../posts/index.ts";
import { getOwnEvent, lockEvent, storeChange } from "../change-event.ts";
import type { EventsDeps } from "../create-event.ts";
import { insertEvent } from "../event-store.ts";
import { markReminders } from "../reminders/due-reminder-store.ts";
import { eventOfObject, type EventOfObject } from "./event-of-object.ts";
import { noteNewEvent } from "./note-change.ts";
import {
  countObjects,
  findNameOfUid,
  listObjectsByName,
  updateObject,
  type CalendarObject,
} from "./object-store.ts";

/** A condition on the object that is there (RFC 9110, section 13.1). */
export type ObjectCondition = (object: CalendarObject | undefined) => boolean;

export type PutObject = {
  readonly owner: Author;
  /** Somebody with whom the calendar is shared; the owner by default. */
  readonly by?: PersonId;
  readonly calendarId: CalendarId;
  readonly name: string;
  /** iCalendar, in UTF-8. */
  readonly text: string;
  readonly condition: ObjectCondition;
  /** For its rule; to be shared by the objects of one file. */
  readonly budget?: WorkBudget | undefined;
};

export type PutOutcome =
  | {
      readonly kind: "stored";
      readonly isNew: boolean;
      readonly object: CalendarObject;
    }
  | { readonly kind: "condition_failed" }
  /** Another object of the calendar has this UID, or this object has another one. */
  | { readonly kind: "uid_taken"; readonly name: string }
  | { readonly kind: "full" };

/** For the end of a series. */
const MAX_RULE_MS = 1000;
/** Of a calendar. */
export const MAX_OBJECTS = 20_000;

/**
 * Stores an object that a program wrote, as it wrote it, with the event that it describes. A
 * new event is its owner's alone; an event that others see already is changed for them, too.
 * @throws {CalendarDataError} for a text that is no event
 * @throws {KithError} `not_found` for a calendar of another user
 */
export async function putObject(
  deps: EventsDeps,
  input: PutObject,
): Promise<PutOutcome> {
  const { owner, by, text, budget = new WorkBudget(MAX_RULE_MS) } = input;
  const { timeZone } = await deps.accounts.getSettings(owner.userId);
  const parsed = parseObject(text, timeZone);
  const event = eventOfObject(parsed, timeZone, budget);
  const read = { ...event, uid: parsed.uid };
  const writing = deps.db.transaction(async (tx) => {
    await refuseMoved(tx, owner.personId);
    if (by !== undefined) await refuseMoved(tx, by);
    await lockObject(deps, tx, input);
    return store(deps, tx, input, read);
  });
  return notFoundIfGone(writing);
}

/**
 * Locks an object, its event first, as all changes of events do, and the calendars of its
 * owner.
 * @throws {KithError} `not_found` for a calendar of another user
 */
export async function lockObject(
  { db, calendars }: Pick<EventsDeps, "calendars" | "db">,
  tx: Tx,
  { owner, calendarId, name }: Pick<PutObject, "owner" | "calendarId" | "name">,
): Promise<void> {
  await calendars.get(owner.userId, calendarId, tx);
  const [seen] = await listObjectsByName(tx, calendarId, [name]);
  if (seen) await lockEvent(db, tx, seen.event);
  await calendars.lock(tx, owner.userId);
  await calendars.get(owner.userId, calendarId, tx);
}

type ReadEvent = EventOfObject & { readonly uid: string };

async function store(
  deps: EventsDeps,
  tx: Tx,
  input: PutObject,
  read: ReadEvent,
): Promise<PutOutcome> {
  const { calendarId, name, condition } = input;
  const [known] = await listObjectsByName(tx, calendarId, [name]);
  if (!condition(known)) return { kind: "condition_failed" };
  const taken = await findNameOfUid(tx, calendarId, read.uid);
  if (known && known.event.uid !== read.uid)
    return { kind: "uid_taken", name: taken ?? name };
  if (!known && taken !== undefined) return { kind: "uid_taken", name: taken };
  if (!known && (await countObjects(tx, calendarId)) >= MAX_OBJECTS)
    return { kind: "full" };
  await (known
    ? changeKnown(deps, tx, input, read, known)
    : insertNew(deps, tx, input, read));
  const [object] = await listObjectsByName(tx, calendarId, [name]);
  if (!object) throw new Error("The stored object cannot be read");
  return { kind: "stored", isNew: !known, object };
}

async function insertNew(
  deps: EventsDeps,
  tx: Tx,
  { owner, calendarId, name, text }: PutObject,
  read: ReadEvent,
): Promise<void> {
  const now = deps.clock.now();
  const guid = newGuid();
  const id = await insertEvent(
    tx,
    {
      ...read,
      guid,
      personId: owner.personId,
      calendarId,
      aspectId: null,
      audience: "owner",
      public: false,
      createdAt: timestamp(now),
    },
    now,
  );
  await noteNewEvent(deps, tx, { id, guid, calendarId }, { name, text });
  await markReminders(tx, { eventId: id }, now);
}

async function changeKnown(
  deps: EventsDeps,
  tx: Tx,
  { owner, calendarId, text }: PutObject,
  read: ReadEvent,
  known: CalendarObject,
): Promise<void> {
  const event = await getOwnEvent(deps, tx, owner, { id: known.event.id });
  const { status, recurrence } = read;
  // A postponed event is tentative to calendar programs, and stays postponed.
  const isKept = event.status === "postponed" && status === "tentative";
  await storeChange(deps, tx, event, {
    ...{ details: read, calendarId, recurrence },
    status: isKept ? event.status : status,
  });
  const change = await deps.calendars.nextChange(tx, calendarId);
  await updateObject(tx, event.id, { change, text });
}
