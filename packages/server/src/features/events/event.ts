import { WorkBudget, WorkBudgetError } from "../../lib/limits/work-budget.ts";
import {
  FOR_EVER,
  seriesOver,
  type Recurrence,
} from "../../lib/icalendar/occurrences.ts";
import { joinLines } from "../../lib/lines.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import {
  addDays,
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

/** `limited`: the owner and the recipients chosen when it was created. */
export type EventAudience = "everyone" | "limited" | "owner";

/** Does it take place as announced? */
export type EventStatus = "cancelled" | "confirmed" | "postponed" | "tentative";

type Schedule = {
  readonly allDay: boolean;
  /** An instant, or `YYYY-MM-DD` for an all-day event. */
  readonly start: string;
  /** In the format of the start. May be missing from a remote event. */
  readonly end: string | null;
};

export type EventDetails = Schedule & {
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** A postal address as free text. */
  readonly location: string;
  /** IANA name. */
  readonly timeZone: string;
};

/** An event that a person plans. */
export type CalendarEvent = EventDetails & {
  readonly id: EventId;
  readonly guid: string;
  /** The iCalendar UID. */
  readonly uid: string;
  readonly personId: PersonId;
  readonly calendarId: CalendarId | null;
  readonly aspectId: AspectId | null;
  /** Decides who sees it. */
  readonly audience: EventAudience;
  readonly status: EventStatus;
  /** The number of places; null if unlimited. */
  readonly capacity: number | null;
  /** Does its organizer confirm each guest? */
  readonly needsApproval: boolean;
  /** The categories given by a remote author: keys of an open list, such as `COMMUNITY`. */
  readonly categories: readonly string[];
  /** null: it takes place once. */
  readonly recurrence: Recurrence | null;
  /** Whether it is in no calendar; `audience` alone decides who sees it. */
  readonly public: boolean;
  /** The number of changes. */
  readonly sequence: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type EventKey = { readonly id: EventId } | { readonly guid: string };

/** An event as entered by a user. Absent fields get their default, or keep their value. */
export type TypedEvent = {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Of one that lasts all day. Without it, such an event keeps its length. */
  readonly lastDay?: string | undefined;
  readonly allDay?: boolean | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly timeZone?: string | undefined;
};

/** In code points. The first two are diaspora*'s. */
export const LIMITS = {
  summary: 255,
  description: 65_535,
  location: 1000,
} as const;

/**
 * Parses the fields entered by a user.
 * @param before the values of absent fields
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

/** More places than any event has. */
export const MAX_CAPACITY = 1_000_000;

/**
 * @param typed 0 for as many as want to come
 * @throws {KithError} `bad_request`
 */
export function readCapacity(
  typed: number | null | undefined,
): number | null | undefined {
  if (typed != null && typed > MAX_CAPACITY)
    throw new KithError(
      "bad_request",
      `The capacity must be at most ${MAX_CAPACITY}.`,
    );
  return typed === 0 ? null : typed;
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

/** An empty form field means no time zone was given. */
function readZone(typed: string | undefined, otherwise: string): string {
  const zone = typed ? readTimeZone(typed) : otherwise;
  if (zone === undefined)
    throw new KithError(
      "bad_request",
      "The time zone must be one of the IANA database, such as Europe/Berlin.",
    );
  return zone;
}

/** @param localZone the zone of a time without an offset, if the same request names one */
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
    return { allDay, start, end: lastDayOf(typed, before, start) };
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

/** Null for an event of one day. One over several days keeps its length. */
function lastDayOf(
  { lastDay }: TypedEvent,
  before: EventDetails | undefined,
  start: string,
): string | null {
  if (lastDay !== undefined) {
    const { date } = readDatetime(lastDay, "end");
    if (date < start)
      throw new KithError(
        "invalid_datetime",
        "The last day must not be before the first.",
      );
    return date > start ? date : null;
  }
  if (!before?.allDay || before.end === null) return null;
  const days = Temporal.PlainDate.from(before.start).until(before.end).days;
  return addDays(start, days);
}

/**
 * @param name which time it is
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

/** When it starts. A day starts at midnight UTC, so that it is the same day for everyone. */
export function startInstant({
  allDay,
  start,
}: Pick<Schedule, "allDay" | "start">): Timestamp {
  return allDay ? midnightOf(start) : start;
}

/** For the end of one series. */
const MAX_END_MS = 1000;

/**
 * The first instant at which all of an event is over, however often it takes place; `FOR_EVER`
 * if that takes too long to compute.
 */
export function untilInstant(
  details: EventDetails,
  recurrence: Recurrence | null,
): Timestamp {
  if (!recurrence) return overInstant(details);
  try {
    const budget = new WorkBudget(MAX_END_MS);
    return seriesOver({ ...details, recurrence }, budget);
  } catch (error) {
    if (error instanceof WorkBudgetError) return FOR_EVER;
    throw error;
  }
}

/** The first instant after its end. An event never has zero duration, even without an end. */
export function overInstant({ allDay, start, end }: Schedule): Timestamp {
  if (allDay) return endOfDay(end ?? start);
  return end !== null && end > start
    ? end
    : timestamp(later(new Date(start), 1));
}
