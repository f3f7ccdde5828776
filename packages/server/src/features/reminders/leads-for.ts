import type { Reader } from "../../db/db.ts";
import { readAlarms } from "../../lib/icalendar/objects/read-alarms.ts";
import { overInstant, type CalendarEvent } from "../events/index.ts";
import { MAX_LEAD_MINUTES } from "./leads.ts";
import { startIn } from "./next-reminder.ts";
import { findWrittenObject, type Reminded } from "./reminder-store.ts";

/** Is the event the person's own, is the person coming, or was a reminder chosen for it? */
export function isReminded(
  { personId }: Pick<CalendarEvent, "personId">,
  reminded: Reminded,
): boolean {
  const { answer, chosen = [] } = reminded;
  return personId === reminded.personId
    ? true
    : answer === undefined
      ? chosen.length > 0
      : answer !== "declined";
}

/**
 * When somebody is reminded of an event, in minutes before it begins: as chosen for this
 * event, else by the alarms that a program of its owner wrote, else by the settings.
 */
export async function leadsFor(
  reader: Reader,
  event: CalendarEvent,
  reminded: Reminded,
): Promise<readonly number[]> {
  const { chosen, byDefault, ofDays, timeZone } = reminded;
  if (chosen) return chosen;
  if (!isReminded(event, reminded)) return [];
  const isOwn = event.personId === reminded.personId;
  const text = isOwn ? await findWrittenObject(reader, event.id) : undefined;
  if (text !== undefined) {
    const start = startIn(timeZone, event);
    const times = { start, end: event.allDay ? start : overInstant(event) };
    const leads = readAlarms(text, times).filter(
      (lead) => Math.abs(lead) <= MAX_LEAD_MINUTES,
    );
    if (leads.length > 0) return leads;
  }
  const lead = event.allDay ? ofDays : byDefault;
  return lead === null ? [] : [lead];
}
