import type { CalendarEvent } from "../../../features/events/index.ts";
import type { EventId } from "../../../features/ids.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { SAMPLES } from "./sample-people.ts";
import { HOUR_MS } from "./sample-posts.ts";

const DAYS_AHEAD = 3;

/** An event in three days, unless its details say otherwise. */
export function sampleEvent(
  id: number,
  summary: string,
  now: Date,
  more: Partial<CalendarEvent> = {},
): CalendarEvent {
  const start = later(now, DAYS_AHEAD * 24 * HOUR_MS);
  return {
    ...{ id: id as EventId, guid: `event${id}`.padEnd(16, "0") },
    ...{ uid: `event${id}`, personId: SAMPLES.short.id, calendarId: null },
    ...{ aspectId: null, audience: "everyone", status: "confirmed" },
    ...{ capacity: null, needsApproval: false, categories: [] },
    ...{ recurrence: null, public: true, sequence: 0, summary },
    ...{ description: "", location: "Old Mill", timeZone: "Europe/Berlin" },
    ...{ allDay: false, start: timestamp(start) },
    end: timestamp(later(start, 3 * HOUR_MS)),
    ...{ createdAt: timestamp(now), updatedAt: timestamp(now), ...more },
  };
}

/** @param days from now */
export function dayAhead(now: Date, days: number): string {
  return timestamp(later(now, days * 24 * HOUR_MS)).slice(0, 10);
}
