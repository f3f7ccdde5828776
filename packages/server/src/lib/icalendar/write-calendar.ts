import type { Timestamp } from "../time/clock.ts";
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
  /** Such as `PT1H`. */
  readonly refreshAfter: string;
};

const PRODUCT = "-//Kith//Kith 1.0//EN";

/** Writes an iCalendar object (RFC 5545), event by event. */
export class CalendarWriter {
  readonly #zones = new WrittenZones();
  readonly #events: string[] = [];
  readonly #feed: WrittenFeed | undefined;

  constructor(feed?: WrittenFeed) {
    this.#feed = feed;
  }

  add(event: WrittenEvent): void {
    const properties = [
      ...identityOf(event),
      ...timesOf(event, this.#zones),
      ...contentOf(event),
      ...peopleOf(event),
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
        ["method", {}, "text", "PUBLISH"],
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
function hintsOf({ name, refreshAfter }: WrittenFeed): Property[] {
  return [
    otherProperty("name", name),
    otherProperty("x-wr-calname", name),
    ["refresh-interval", {}, "duration", refreshAfter],
    otherProperty("x-published-ttl", refreshAfter),
  ];
}

function identityOf(event: WrittenEvent): Property[] {
  return [
    textProperty("uid", event.uid),
    ["dtstamp", {}, "date-time", inUtc(event.updatedAt)],
    ["created", {}, "date-time", inUtc(event.createdAt)],
    ["last-modified", {}, "date-time", inUtc(event.updatedAt)],
    ["sequence", {}, "integer", event.sequence],
  ];
}

function inUtc(instant: Timestamp): string {
  return `${instant.slice(0, "YYYY-MM-DDTHH:MM:SS".length)}Z`;
}

function timesOf(event: WrittenEvent, zones: WrittenZones): Property[] {
  const { allDay, start, end, timeZone } = event;
  if (allDay) return daysOf(start, end);
  return [
    zones.timeProperty("dtstart", start, timeZone),
    // Without an end it is a moment; an end at its start is not allowed.
    ...(end !== null && inUtc(end) > inUtc(start)
      ? [zones.timeProperty("dtend", end, timeZone)]
      : []),
  ];
}

/** The day after the last one is the end. Without an end it is one day. */
function daysOf(first: string, last: string | null): Property[] {
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
    ...attendees.map((attendee): Property => {
      const [parameters, type, address] = named(attendee);
      const partstat = attendee.status;
      return ["attendee", { ...parameters, partstat }, type, address];
    }),
  ];
}
