import type { CalendarEvent as EventEntity } from "@kith/diaspora";
import {
  startInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
import type { Person } from "../../features/people/index.ts";
import { wireTime } from "./wire-values.ts";

/** An event inside of its post. Where it takes place is said in words: its coordinates are zero. */
export function renderEvent(event: CalendarEvent, author: Person): EventEntity {
  const { allDay, start, end, description, location } = event;
  const timeOf = (time: string) =>
    wireTime(startInstant({ allDay, start: time }));
  return {
    type: "event",
    author: author.handle,
    guid: event.guid,
    ...(event.sequence > 0 && { editedAt: wireTime(event.updatedAt) }),
    summary: event.summary,
    ...(description !== "" && { description }),
    start: timeOf(start),
    ...(end !== null && { end: timeOf(end) }),
    allDay,
    timezone: event.timeZone,
    ...(location !== "" && {
      location: { type: "location", address: location, lat: "0.0", lng: "0.0" },
    }),
  };
}
