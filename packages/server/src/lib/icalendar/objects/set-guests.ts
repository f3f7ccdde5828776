import { ical } from "../libraries.ts";
import { parseCalendar } from "../calendar-data.ts";
import { writeRoot } from "./edit-object.ts";
import type { Property } from "../ical-text.ts";
import { writeGuests, type WrittenEvent } from "../write-calendar.ts";

/**
 * Writes the guests who have answered into the text of an object. Guests at other addresses
 * stay as a program wrote them.
 * @param prefix of the addresses of guests
 * @returns the same text if that changes nothing
 */
export function setGuests(
  text: string,
  guests: WrittenEvent["attendees"],
  prefix: string,
): string {
  if (guests.length === 0 && !text.includes(prefix.slice(0, 60))) return text;
  const root = parseCalendar(text, Infinity);
  const events = root.getAllSubcomponents("vevent");
  const master =
    events.find((event) => !event.getFirstProperty("recurrence-id")) ??
    events[0];
  if (!master) return text;
  for (const property of master.getAllProperties("attendee"))
    if (String(property.getFirstValue()).startsWith(prefix))
      master.removeProperty(property);
  for (const guest of writeGuests(guests))
    master.addProperty(new (ical().Property)(toJson(guest)));
  return writeRoot(root);
}

/** The library takes the JSON form, though its types name the text alone. */
function toJson(property: Property): string {
  return [...property] as unknown as string;
}
