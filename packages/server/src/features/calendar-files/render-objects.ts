import { setGuests } from "../../lib/icalendar/objects/set-guests.ts";
import {
  CalendarWriter,
  type WrittenEvent,
} from "../../lib/icalendar/write-calendar.ts";
import type { CalendarObject } from "../events/index.ts";
import type { Person } from "../people/index.ts";
import { toWrittenEvents, type WriteEventsDeps } from "./write-events.ts";

/** An object as a program reads it. */
export type RenderedObject = CalendarObject & { readonly ical: string };

/**
 * The texts of objects for their owner: what a program wrote, with the guests who have
 * answered here; or, for an event that was made here, what Kith says about it.
 */
export async function renderObjects(
  deps: WriteEventsDeps,
  objects: readonly CalendarObject[],
): Promise<RenderedObject[]> {
  const events = objects.map(({ event }) => event);
  const written = await toWrittenEvents(deps, events, true, handleOf);
  return objects.map((object, at) => {
    const event = written[at];
    if (!event) throw new Error("An event was not written");
    return { ...object, ical: textOf(object, event, deps.baseUrl) };
  });
}

/** Unlike a name it never changes, so that an object changes with its tag alone. */
function handleOf({ handle }: Person): string {
  return handle;
}

function textOf(
  { text }: CalendarObject,
  event: WrittenEvent,
  baseUrl: string,
): string {
  if (text !== null)
    return setGuests(text, event.attendees, `${baseUrl}/people/`);
  const writer = new CalendarWriter({ isStored: true });
  // An organizer makes sense to programs together with guests alone.
  const { organizer, ...rest } = event;
  writer.add(event.attendees.length > 0 ? { ...rest, organizer } : rest);
  return writer.toString();
}
