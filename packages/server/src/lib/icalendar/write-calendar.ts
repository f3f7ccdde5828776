import { colorName } from "./color-names.ts";
import type { Timestamp } from "../time/clock.ts";
import type { Recurrence } from "./occurrences.ts";
import { overridesOf, repetitionOf, type Override } from "./write-series.ts";
import {
  cleanName,
  otherProperty,
  textProperty,
  writeComponent,
  type Property,
} from "./ical-text.ts";
import { WrittenZones } from "./zoned-time.ts";

/** A person in an iCalendar object, by the address of a page. */
export type WrittenPerson = { readonly name: string; readonly address: string };

/** An event to be written as a `VEVENT`. */
export type WrittenEvent = {
  readonly uid: string;
  readonly sequence: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly categories: readonly string[];
  readonly allDay: boolean;
  /** An instant, or `YYYY-MM-DD` for an all-day event. */
  readonly start: string;
  /** In the format of the start; of an all-day event, its last day. */
  readonly end: string | null;
  readonly timeZone: string;
  readonly recurrence: Recurrence | null;
  readonly status: "CANCELLED" | "CONFIRMED" | "TENTATIVE";
  readonly isPublic: boolean;
  /** The address of its page. */
  readonly url: string;
  readonly organizer?: WrittenPerson | undefined;
  readonly attendees: readonly (WrittenPerson & {
    readonly status: "ACCEPTED" | "DECLINED" | "TENTATIVE";
  })[];
};

/** A feed has a name, and a time after which it should be fetched again. */
export type WrittenFeed = {
  readonly name: string;
  /** `#RRGGBB`; null without one. */
  readonly color?: string | null;
  /** Such as `PT1H`. */
  readonly refreshAfter: string;
};

const PRODUCT = "-//Kith//Kith 1.0//EN";

/** Writes an iCalendar object (RFC 5545), event by event. */
export class CalendarWriter {
  readonly #zones = new WrittenZones();
  readonly #events: string[] = [];
  readonly #feed: WrittenFeed | undefined;

  readonly #isStored: boolean;

  /** @param how a stored object (RFC 4791, section 4.1) has no METHOD */
  constructor(
    how: Partial<WrittenFeed> & { readonly isStored?: boolean } = {},
  ) {
    const { name, color = null, refreshAfter, isStored = false } = how;
    this.#isStored = isStored;
    this.#feed =
      name !== undefined && refreshAfter !== undefined
        ? { name, color, refreshAfter }
        : undefined;
  }

  add(event: WrittenEvent): void {
    const properties = [
      ...identityOf(event),
      ...timesOf(event, this.#zones),
      ...repetitionOf(event, this.#zones),
      ...contentOf(event),
      ...peopleOf(event),
    ];
    this.#events.push(writeComponent(["vevent", properties, []]));
    for (const override of overridesOf(event))
      this.#addOverride(event, override);
  }

  #addOverride(event: WrittenEvent, { at, ...changed }: Override): void {
    const status = changed.isCancelled ? "CANCELLED" : event.status;
    const one = { ...event, ...changed, status, recurrence: null } as const;
    const properties = [
      ...identityOf(one),
      event.allDay
        ? (["recurrence-id", {}, "date", at] as const)
        : this.#zones.timeProperty("recurrence-id", at, event.timeZone),
      ...timesOf(one, this.#zones),
      ...contentOf(one),
      ...peopleOf(one),
    ];
    this.#events.push(writeComponent(["vevent", properties, []]));
  }

  /** The text, with CRLF at the end of each line. */
  toString(): string {
    const frame = writeComponent([
      "vcalendar",
      [
        ["version", {}, "text", "2.0"],
        ["prodid", {}, "text", PRODUCT],
        ["calscale", {}, "text", "GREGORIAN"],
        ...(this.#isStored ? [] : [["method", {}, "text", "PUBLISH"] as const]),
        ...(this.#feed ? hintsOf(this.#feed) : []),
      ],
      this.#zones.components(),
    ]);
    const end = "END:VCALENDAR\r\n";
    const begin = frame.slice(0, -end.length);
    return `${begin}${this.#events.join("")}${end}`;
  }
}

/** The second form of each is for programs older than RFC 7986. */
function hintsOf({ name, color, refreshAfter }: WrittenFeed): Property[] {
  return [
    otherProperty("name", name),
    otherProperty("x-wr-calname", name),
    ...(color == null ? [] : colorsOf(color)),
    ["refresh-interval", {}, "duration", refreshAfter],
    otherProperty("x-published-ttl", refreshAfter),
  ];
}

/** By a name of CSS, which RFC 7986 has alone, and as Apple's programs and others read it. */
function colorsOf(color: string): Property[] {
  const name = colorName(color);
  return [
    ...(name === undefined ? [] : [otherProperty("color", name)]),
    otherProperty("x-apple-calendar-color", color),
  ];
}

function identityOf(event: WrittenEvent): Property[] {
  return [
    textProperty("uid", event.uid),
    ["dtstamp", {}, "date-time", writeInUtc(event.updatedAt)],
    ["created", {}, "date-time", writeInUtc(event.createdAt)],
    ["last-modified", {}, "date-time", writeInUtc(event.updatedAt)],
    ["sequence", {}, "integer", event.sequence],
  ];
}

export function writeInUtc(instant: Timestamp): string {
  return `${instant.slice(0, "YYYY-MM-DDTHH:MM:SS".length)}Z`;
}

function timesOf(event: WrittenEvent, zones: WrittenZones): Property[] {
  const { allDay, start, end, timeZone } = event;
  if (allDay) return writeDays(start, end);
  return [
    zones.timeProperty("dtstart", start, timeZone),
    // Without an end it is a moment; an end at its start is not allowed.
    ...(end !== null && writeInUtc(end) > writeInUtc(start)
      ? [zones.timeProperty("dtend", end, timeZone)]
      : []),
  ];
}

/** The day after the last one is the end. Without an end it is one day. */
export function writeDays(first: string, last: string | null): Property[] {
  const from = Temporal.PlainDate.from(first);
  const until = Temporal.PlainDate.from(
    last !== null && last > first ? last : first,
  ).add({ days: 1 });
  return [
    ["dtstart", {}, "date", from.toString()],
    ...(until.year > 9999
      ? []
      : [["dtend", {}, "date", until.toString()] as const]),
  ];
}

function contentOf(event: WrittenEvent): Property[] {
  const { summary, description, location, categories } = event;
  const texts = { summary, description, location };
  return [
    ...Object.entries(texts)
      .filter(([, text]) => text !== "")
      .map(([name, text]) => textProperty(name, text)),
    ...categories.map((category) => textProperty("categories", category)),
    ["status", {}, "text", event.status],
    ["class", {}, "text", event.isPublic ? "PUBLIC" : "PRIVATE"],
    ["url", {}, "uri", event.url],
  ];
}

function peopleOf({ organizer, attendees }: WrittenEvent): Property[] {
  const named = ({ name, address }: WrittenPerson) =>
    [{ cn: cleanName(name) }, "cal-address", address] as const;
  return [
    ...(organizer ? [["organizer", ...named(organizer)] as const] : []),
    ...writeGuests(attendees),
  ];
}

export function writeGuests(guests: WrittenEvent["attendees"]): Property[] {
  return guests.map(({ name, address, status }) => [
    "attendee",
    { cn: cleanName(name), partstat: status },
    "cal-address",
    address,
  ]);
}
