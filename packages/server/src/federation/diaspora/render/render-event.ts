import type { CalendarEvent as EventEntity } from "@kith/diaspora";
import {
  startInstant,
  type CalendarEvent,
} from "../../../features/events/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { canonicalTimeZone } from "../../../lib/time/datetime.ts";
import { wireTime } from "./wire-values.ts";

/** Renders an event within its post. Its place is a text: the coordinates are zero. */
export function renderEvent(event: CalendarEvent, author: Person): EventEntity {
  const { allDay, start, end, description, location } = event;
  const timezone = wireZone(event.timeZone);
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
    ...(timezone !== undefined && { timezone }),
    ...(location !== "" && {
      location: { type: "location", address: location, lat: "0.0", lng: "0.0" },
    }),
  };
}

/**
 * diaspora*'s own rule. For any other name, such as `UTC` or `Etc/GMT+5`, a pod drops the whole
 * post.
 */
const WIRE_ZONE = /^[A-Za-z_-]{0,14}(?:\/[A-Za-z_-]{0,14}){1,2}$/;

function wireZone(timeZone: string): string | undefined {
  return [timeZone, canonicalTimeZone(timeZone)]
    .map((name) => (name === "UTC" || name === "GMT" ? "Etc/UTC" : name))
    .find((name) => WIRE_ZONE.test(name));
}
