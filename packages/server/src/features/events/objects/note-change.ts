import type { Tx } from "../../../db/db.ts";
import { editObject } from "../../../lib/icalendar/objects/edit-object.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { CalendarId, EventId } from "../../ids.ts";
import type { Calendars } from "../../calendars/index.ts";
import type { CalendarEvent, EventDetails } from "../event.ts";
import {
  findNameOfUid,
  findObjectPlace,
  hasName,
  insertObject,
  insertRemoval,
  moveObject,
  updateObject,
} from "./object-store.ts";

export type NoteDeps = {
  readonly calendars: Calendars;
  readonly clock: Clock;
};

/** Gives a new event in a calendar its object. @param text as a program wrote it */
export async function noteNewEvent(
  { calendars }: Pick<NoteDeps, "calendars">,
  tx: Tx,
  event: Pick<CalendarEvent, "id" | "guid" | "calendarId">,
  { name = `${event.guid}.ics`, text = null }: Partial<Written> = {},
): Promise<void> {
  const { id: eventId, calendarId } = event;
  if (calendarId === null) return;
  const change = await calendars.nextChange(tx, calendarId);
  await insertObject(tx, { eventId, calendarId, name, change, text });
}

type Written = { readonly name: string; readonly text: string | null };

/** Counts a change that the text of an object does not show, such as an answer. */
export async function touchObject(
  { calendars }: Pick<NoteDeps, "calendars">,
  tx: Tx,
  eventId: EventId,
): Promise<void> {
  const place = await findObjectPlace(tx, eventId);
  if (!place || place.calendarId === null) return;
  const change = await calendars.nextChange(tx, place.calendarId);
  await updateObject(tx, eventId, { change });
}

/**
 * Writes a change that a person made here into the object of the event.
 * @throws {KithError} `conflict` if the other calendar has an event of this UID
 */
export async function noteChangedEvent(
  deps: NoteDeps,
  tx: Tx,
  event: CalendarEvent,
  after: EventDetails & Pick<CalendarEvent, "calendarId" | "recurrence">,
): Promise<void> {
  const { calendars, clock } = deps;
  const place = await findObjectPlace(tx, event.id);
  const { calendarId } = after;
  if (calendarId !== (place?.calendarId ?? null))
    await moveTo(deps, tx, event, calendarId);
  if (!place) return;
  const { text } = place;
  const edited =
    text === null
      ? null
      : editObject(text, event, after, timestamp(clock.now()));
  const change =
    calendarId === null ? 0 : await calendars.nextChange(tx, calendarId);
  await updateObject(tx, event.id, { change, text: edited });
}

/**
 * Puts an event into another calendar, or into none.
 * @param wanted the name there; by default the present one
 */
export async function moveTo(
  { calendars, clock }: NoteDeps,
  tx: Tx,
  event: CalendarEvent,
  calendarId: CalendarId | null,
  wanted?: string,
): Promise<void> {
  const place = await findObjectPlace(tx, event.id);
  if (place?.calendarId != null)
    await insertRemoval(
      tx,
      {
        ...{ calendarId: place.calendarId, name: place.name },
        isLimited: place.isLimited,
        change: await calendars.nextChange(tx, place.calendarId),
      },
      timestamp(clock.now()),
    );
  if (calendarId === null) {
    await moveObject(tx, event.id, null);
    return;
  }
  if ((await findNameOfUid(tx, calendarId, event.uid)) !== undefined)
    throw new KithError("conflict", "The calendar has this event already.");
  if (!place) {
    await noteNewEvent({ calendars }, tx, { ...event, calendarId });
    return;
  }
  const isTaken = await hasName(tx, calendarId, wanted ?? place.name);
  const name = isTaken ? `${event.guid}.ics` : (wanted ?? place.name);
  const change = await calendars.nextChange(tx, calendarId);
  await moveObject(tx, event.id, { calendarId, name, change });
}

/** To be called before an event is deleted. */
export async function noteRemovedEvent(
  { calendars, clock }: NoteDeps,
  tx: Tx,
  eventId: EventId,
): Promise<void> {
  const place = await findObjectPlace(tx, eventId);
  if (!place || place.calendarId === null) return;
  const { calendarId, name, isLimited } = place;
  const change = await calendars.nextChange(tx, calendarId);
  const removed = { calendarId, name, change, isLimited };
  await insertRemoval(tx, removed, timestamp(clock.now()));
}
