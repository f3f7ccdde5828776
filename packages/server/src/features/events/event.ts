import { joinLines } from "../../lib/markdown/lines.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import {
  dateIn,
  endOfDay,
  midnightOf,
  parseDatetime,
  readTimeZone,
  type Datetime,
} from "../../lib/time/datetime.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { AspectId, CalendarId, EventId, PersonId } from "../ids.ts";

/** `limited`: its owner and those whom it was given to when it was made. */
export type Audience = "everyone" | "limited" | "owner";

/** Whether it takes place as announced. */
export type EventStatus = "cancelled" | "confirmed" | "postponed" | "tentative";

/** When something takes place. */
type Schedule = {
  readonly allDay: boolean;
  /** An instant, or `YYYY-MM-DD` where it lasts all day. */
  readonly start: string;
  /** Written like the start. Of an event from elsewhere it can be missing. */
  readonly end: string | null;
};

export type EventDetails = Schedule & {
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** An address in words. */
  readonly location: string;
  /** IANA name. */
  readonly timeZone: string;
};

/** Something that a person plans. */
export type CalendarEvent = EventDetails & {
  readonly id: EventId;
  readonly guid: string;
  /** The name that calendar programs know it by. */
  readonly uid: string;
  readonly personId: PersonId;
  readonly calendarId: CalendarId | null;
  readonly aspectId: AspectId | null;
  /** Decides who sees it. */
  readonly audience: Audience;
  readonly status: EventStatus;
  /** How many may come; null for any number. */
  readonly capacity: number | null;
  /** What kind of event its author elsewhere says it is: keys of an open list, such as `COMMUNITY`. */
  readonly categories: readonly string[];
  /** Says that it was put into no calendar; who sees it, `audience` decides. */
  readonly public: boolean;
  /** Counts the changes. */
  readonly sequence: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type EventKey = { readonly id: EventId } | { readonly guid: string };

/** An event as a user types it. What is absent has its default, or stays as it was. */
export type TypedEvent = {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly allDay?: boolean | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly timeZone?: string | undefined;
};

/** In code points. The first two are those of diaspora*. */
export const LIMITS = {
  summary: 255,
  description: 65_535,
  location: 1000,
} as const;

/**
 * Reads what a user typed.
 * @param before what stays where nothing was typed
 * @throws {KithError} `invalid_datetime`, `bad_request`
 */
export function readDetails(
  typed: TypedEvent,
  before: EventDetails | { readonly timeZone: string },
): EventDetails {
  const known = "start" in before ? before : undefined;
  const text = (name: keyof typeof LIMITS) =>
    readText(typed[name] ?? known?.[name] ?? "", name);
  const timeZone = readZone(typed.timeZone, before.timeZone);
  return {
    ...readSchedule(typed, known, typed.timeZone ? timeZone : undefined),
    summary: joinLines(text("summary"), " "),
    description: text("description"),
    location: text("location"),
    timeZone,
  };
}

function readText(typed: string, name: keyof typeof LIMITS): string {
  const text = storableText(typed).trim();
  if ([...text].length > LIMITS[name])
    throw new KithError(
      "bad_request",
      `The ${name} must have at most ${LIMITS[name]} characters.`,
    );
  return text;
}

/** An empty field of a form names no zone. */
function readZone(typed: string | undefined, otherwise: string): string {
  const zone = typed ? readTimeZone(typed) : otherwise;
  if (zone === undefined)
    throw new KithError(
      "bad_request",
      "The time zone must be one of the IANA database, such as Europe/Berlin.",
    );
  return zone;
}

/** @param localZone what a time without an offset means, where the same call says so */
function readSchedule(
  typed: TypedEvent,
  before: EventDetails | undefined,
  localZone: string | undefined,
): Schedule {
  const allDay = typed.allDay ?? before?.allDay ?? false;
  if (allDay) {
    const start =
      typed.start === undefined && before
        ? dayOf(before)
        : readDatetime(typed.start, "start", localZone).date;
    return { allDay, start, end: null };
  }
  const start =
    typed.start === undefined && before
      ? startInstant(before)
      : readDatetime(typed.start, "start", localZone).instant;
  const end =
    typed.end === undefined && before && !before.allDay && before.end !== null
      ? before.end
      : readDatetime(typed.end, "end", localZone).instant;
  if (end < start)
    throw new KithError(
      "invalid_datetime",
      "The end must not be before the start.",
    );
  return { allDay, start, end };
}

/**
 * @param name what the time is for
 * @throws {KithError} `invalid_datetime`
 */
export function readDatetime(
  typed: string | undefined,
  name: "start" | "end" | "from" | "to",
  localZone?: string,
): Datetime {
  const datetime =
    typed === undefined ? undefined : parseDatetime(typed, localZone);
  if (!datetime)
    throw new KithError(
      "invalid_datetime",
      `The time “${name}” must be given as a date and a time, such as 2026-07-04T18:30:00Z.`,
    );
  return datetime;
}

function dayOf({ allDay, start, timeZone }: EventDetails): string {
  return allDay ? start : dateIn(timeZone, start);
}

/** When it begins. A day begins at midnight in UTC, so that it is the same day for everyone. */
export function startInstant({
  allDay,
  start,
}: Pick<Schedule, "allDay" | "start">): Timestamp {
  return allDay ? midnightOf(start) : start;
}

/** The first instant at which it is over; it always takes a moment, with an end or without. */
export function overInstant({ allDay, start, end }: Schedule): Timestamp {
  if (allDay) return endOfDay(end ?? start);
  return end !== null && end > start
    ? end
    : timestamp(later(new Date(start), 1));
}
