import type ICAL from "ical.js";
import { ical } from "./libraries.ts";

/** Why a text is refused as calendar data; the words of RFC 4791, section 5.3.2.1. */
export type CalendarFault =
  | "max-date-time"
  | "max-instances"
  | "max-resource-size"
  | "min-date-time"
  | "supported-calendar-component"
  | "valid-calendar-data"
  | "valid-calendar-object-resource";

/** A text that is no usable iCalendar object. */
export class CalendarDataError extends Error {
  readonly fault: CalendarFault;
  constructor(fault: CalendarFault, message: string) {
    super(message);
    this.name = "CalendarDataError";
    this.fault = fault;
  }
}

/** Bytes of one object: an hour of invitations with pictures in them is refused. */
export const MAX_OBJECT_BYTES = 1_000_000;
const MAX_LINES = 50_000;
const MAX_COMPONENTS = 20_000;
const MAX_DEPTH = 4;
/** Of one property: the library reads all the rest of the line for each. */
const MAX_PARAMETERS = 64;

/**
 * Parses an iCalendar text of bounded size, depth and number of components. A byte order
 * mark and line ends without CR are accepted.
 * @throws {CalendarDataError} `max-resource-size` or `valid-calendar-data`
 */
export function parseCalendar(
  text: string,
  maxBytes = MAX_OBJECT_BYTES,
): ICAL.Component {
  const [root, ...more] = parseStream(text, maxBytes);
  if (!root || more.length > 0)
    throw invalidData("The text is no single iCalendar object.");
  return root;
}

/**
 * Parses a file, which may have several calendars, one after the other (RFC 5545, section 3.4).
 * @throws {CalendarDataError} `max-resource-size` or `valid-calendar-data`
 */
export function parseStream(text: string, maxBytes: number): ICAL.Component[] {
  if (Buffer.byteLength(text) > maxBytes)
    throw new CalendarDataError(
      "max-resource-size",
      `The text is larger than ${maxBytes} bytes.`,
    );
  const bare = text.replace(/^\uFEFF/, "");
  checkFrame(bare, maxBytes > MAX_OBJECT_BYTES ? 10 : 1);
  let parsed: unknown[];
  try {
    parsed = ical().parse(bare) as unknown[];
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw invalidData("The text is no iCalendar object.");
  }
  // Of several components the library makes a list of lists.
  const all = typeof parsed[0] === "string" ? [parsed] : parsed;
  const roots = all.map((it) => new (ical().Component)(it as unknown[]));
  if (roots.length === 0 || roots.some(({ name }) => name !== "vcalendar"))
    throw invalidData("The text is no iCalendar object.");
  return roots;
}

export function invalidData(message: string): CalendarDataError {
  return new CalendarDataError("valid-calendar-data", message);
}

/** Before the library builds a tree, which it writes by recursion. */
function checkFrame(text: string, factor: number): void {
  let [depth, components, lines] = [0, 0, 0];
  for (const [, word] of text.matchAll(/^(?:(BEGIN|END):)?[^\n]/gim)) {
    lines += 1;
    if (/^begin$/i.test(word ?? "")) {
      depth += 1;
      components += 1;
    } else if (word !== undefined) depth -= 1;
    if (depth > MAX_DEPTH) throw invalidData("Components are nested too deep.");
    if (lines > MAX_LINES * factor || components > MAX_COMPONENTS * factor)
      throw invalidData("The object has too many parts.");
  }
  checkParameters(text);
  if (depth !== 0 || components === 0)
    throw invalidData("A component does not begin or end.");
}

/** A line with few semicolons has few parameters, wherever its value begins. */
function checkParameters(text: string): void {
  for (const line of text.replaceAll(/\r?\n[ \t]/g, "").split("\n")) {
    if (line.split(";", MAX_PARAMETERS + 2).length <= MAX_PARAMETERS + 1)
      continue;
    if (countParameters(line) > MAX_PARAMETERS)
      throw invalidData("A property has too many parameters.");
  }
}

/** In front of the first colon outside of quotes. */
function countParameters(line: string): number {
  let count = 0;
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === ":") break;
    else if (character === ";") count += 1;
  }
  return count;
}
