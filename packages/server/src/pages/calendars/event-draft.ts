import {
  EVENT_LIMITS,
  findOccurrence,
  MAX_CAPACITY,
  type CalendarEvent,
} from "../../features/events/index.ts";
import type { AspectId, CalendarId } from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { parseDatetime, readTimeZone } from "../../lib/time/datetime.ts";
import {
  faultsOfRepeat,
  ONCE,
  readRepeatDraft,
  REPEAT_FIELDS,
  repeatDraftOf,
  ruleOf,
  type RepeatDraft,
  type RepeatField,
} from "../events/repeat-draft.ts";
import { eventFormTexts as texts } from "../languages/texts.ts";

export const EVENT_AUDIENCES = [
  ...["everyone", "followers", "all_aspects", "aspects"],
  ...["people", "self"],
] as const satisfies readonly string[];

export type FaultyField =
  | "summary"
  | "start"
  | "end"
  | "time_zone"
  | "location"
  | "description"
  | "audience"
  | "guests"
  | "calendar"
  | "capacity"
  | RepeatField;
export type Faults = Readonly<Partial<Record<FaultyField, string>>>;

/** The fields of the form of an event, as they were typed. */
export type EventDraft = {
  readonly summary: string;
  readonly allDay: boolean;
  readonly startDay: string;
  readonly startTime: string;
  readonly endDay: string;
  readonly endTime: string;
  readonly timeZone: string;
  readonly location: string;
  readonly description: string;
  /** The number of places; empty for as many as want to come. */
  readonly capacity: string;
  readonly needsApproval: boolean;
  /** The id of one of the user's calendars, or empty. */
  readonly calendar: string;
  /** Empty if none is chosen. */
  readonly audience: string;
  readonly aspectIds: readonly AspectId[];
  /** Addresses with commas between. */
  readonly guests: string;
  readonly repeat: RepeatDraft;
  /** The time of the only one of a series that is changed, or empty. */
  readonly occurrence: string;
  /** Of this one. */
  readonly isCancelled: boolean;
  readonly faults?: Faults;
  /** About the form as a whole. */
  readonly message?: string;
};

export const EVENT_FIELDS = Type.Object({
  summary: text("What it is called"),
  all_day: flag("Does it last all day?"),
  start_day: text("The day on which it begins, YYYY-MM-DD"),
  start_time: text("The time at which it begins, hh:mm"),
  end_day: text("The day on which it ends; else the same day"),
  end_time: text("The time at which it ends; none if that is open"),
  time_zone: text("The IANA name of the zone of these times"),
  location: text("Where it takes place"),
  description: text("What it is about, in Markdown"),
  capacity: text("How many people can come; empty for as many as want to"),
  approval: flag("Does the user confirm each guest?"),
  calendar: text("The ID of one of the user's calendars; empty for none"),
  audience: text("Who sees it"),
  aspect: Type.Optional(
    Type.Array(Type.String(), { description: "The IDs of the chosen aspects" }),
  ),
  guests: text("The addresses of the guests, with commas between"),
  ...REPEAT_FIELDS,
  occurrence: text("Changes the one of a series that begins then, alone"),
  cancelled: flag("Of this one: does it not take place?"),
});

export function emptyEventDraft(timeZone: string, day: string): EventDraft {
  return {
    ...{ summary: "", location: "", description: "", calendar: "" },
    ...{ capacity: "", needsApproval: false },
    ...{ allDay: false, startDay: day, startTime: "", endDay: "", endTime: "" },
    ...{ timeZone, audience: "", aspectIds: [], guests: "" },
    ...{ repeat: ONCE, occurrence: "", isCancelled: false },
  };
}

/** The input of the form, before anything of it is checked. */
export function readEventDraft(parameters: Parameters): EventDraft {
  const input = readInput(EVENT_FIELDS, parameters);
  const ids = (input.aspect ?? []).filter((it) => /^[1-9]\d{0,14}$/.test(it));
  return {
    summary: input.summary ?? "",
    allDay: input.all_day ?? false,
    startDay: input.start_day ?? "",
    startTime: input.start_time ?? "",
    endDay: input.end_day ?? "",
    endTime: input.end_time ?? "",
    timeZone: input.time_zone ?? "",
    location: input.location ?? "",
    description: input.description ?? "",
    calendar: input.calendar ?? "",
    capacity: (input.capacity ?? "").trim(),
    needsApproval: input.approval ?? false,
    audience: input.audience ?? "",
    aspectIds: [...new Set(ids)].map((id) => Number(id) as AspectId),
    guests: input.guests ?? "",
    repeat: readRepeatDraft(input),
    occurrence: input.occurrence ?? "",
    isCancelled: input.cancelled ?? false,
  };
}

/** An event as its form shows it, in the zone of the event. */
export function draftOfEvent(event: CalendarEvent): EventDraft {
  const { summary, location, description, calendarId } = event;
  return {
    ...emptyEventDraft(event.timeZone, ""),
    ...timesOf(event),
    ...{ summary, location, description },
    calendar: calendarId === null ? "" : String(calendarId),
    capacity: event.capacity === null ? "" : String(event.capacity),
    needsApproval: event.needsApproval,
    repeat: repeatDraftOf(event),
  };
}

type Times = Pick<
  EventDraft,
  "allDay" | "startDay" | "startTime" | "endDay" | "endTime" | "timeZone"
>;

function timesOf({ allDay, start, end, timeZone }: CalendarEvent): Times {
  if (allDay)
    return {
      ...{ allDay, timeZone, startDay: start, startTime: "", endTime: "" },
      endDay: end !== null && end > start ? end : "",
    };
  const local = (time: string) => {
    const zoned = Temporal.Instant.from(time).toZonedDateTimeISO(timeZone);
    return [
      zoned.toPlainDate().toString(),
      zoned.toPlainTime().toString({ smallestUnit: "minute" }),
    ] as const;
  };
  const [startDay, startTime] = local(start);
  const isOpen = end === null || end === start;
  const [endDay, endTime] = isOpen ? ["", ""] : local(end);
  return { allDay, timeZone, startDay, startTime, endDay, endTime };
}

/** One event of a series as its form shows it. @returns undefined if there is none */
export function draftOfOccurrence(
  event: CalendarEvent,
  occurrence: string,
): EventDraft | undefined {
  const one = findOccurrence(event, occurrence);
  return (
    one && {
      ...draftOfEvent({ ...event, ...one }),
      ...{ occurrence: one.at, calendar: "" },
      isCancelled: one.changed?.isCancelled ?? false,
    }
  );
}

/** How the event of a form without faults repeats. */
export function repeatsOf(
  draft: EventDraft,
  before?: CalendarEvent,
): { readonly rule: string } | undefined {
  const rule = ruleOf(draft.repeat, draft, before);
  return rule === undefined ? undefined : { rule };
}

/** The details as the feature reads them; those of a form without faults. */
export function typedOf(draft: EventDraft, before?: CalendarEvent) {
  const { summary, location, description, allDay, timeZone } = draft;
  const words = { summary, location, description };
  // Untouched times are kept to the second, and in the hour that comes twice.
  if (before && isSameTime(draft, timesOf(before))) return words;
  const { startDay, endDay } = draft;
  return allDay
    ? {
        ...words,
        timeZone,
        allDay,
        start: startDay,
        lastDay: endDay || startDay,
      }
    : { ...words, timeZone, allDay, start: startOf(draft), end: endOf(draft) };
}

function isSameTime(one: Times, other: Times): boolean {
  return (Object.keys(other) as (keyof Times)[]).every(
    (name) => one[name] === other[name],
  );
}

function startOf({ startDay, startTime }: Times): string {
  return `${startDay}T${startTime}`;
}

function endOf(draft: Times): string {
  const { startDay, endDay, endTime } = draft;
  if (endDay === "" && endTime === "") return startOf(draft);
  return `${endDay === "" ? startDay : endDay}T${endTime}`;
}

/** The faults that can be found without asking the database. */
export function faultsOf(draft: EventDraft): Faults {
  const { summary, location, description, timeZone } = draft;
  const zone = readTimeZone(timeZone);
  const isLong = (typed: string, max: number) => [...typed.trim()].length > max;
  return {
    ...(summary.trim() === "" && { summary: texts.faults.noName }),
    ...(isLong(summary, EVENT_LIMITS.summary) && {
      summary: texts.faults.tooLong(EVENT_LIMITS.summary),
    }),
    ...(isLong(location, EVENT_LIMITS.location) && {
      location: texts.faults.tooLong(EVENT_LIMITS.location),
    }),
    ...(isLong(description, EVENT_LIMITS.description) && {
      description: texts.faults.tooLong(EVENT_LIMITS.description),
    }),
    ...(zone === undefined && { time_zone: texts.faults.zone }),
    ...(!isCapacity(draft.capacity) && {
      capacity: texts.faults.capacity(MAX_CAPACITY),
    }),
    ...faultsOfTimes(draft, zone ?? "UTC"),
    ...faultsOfRepeat(draft.repeat, draft.startDay),
  };
}

function isCapacity(typed: string): boolean {
  return (
    typed === "" || (/^\d{1,9}$/.test(typed) && Number(typed) <= MAX_CAPACITY)
  );
}

export function capacityOf({ capacity }: EventDraft): number {
  return Number(capacity);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}(:\d{2})?$/;

function faultsOfTimes(draft: Times, zone: string): Faults {
  const { allDay, startDay, startTime } = draft;
  if (!DAY.test(startDay) || !parseDatetime(startDay))
    return { start: texts.faults.day };
  if (allDay) return faultsOfDays(draft);
  const start = TIME.test(startTime) && parseDatetime(startOf(draft), zone);
  if (!start) return { start: texts.faults.time };
  const { endDay, endTime } = draft;
  if (endDay === "" && endTime === "") return {};
  const isWritten = (endDay === "" || DAY.test(endDay)) && TIME.test(endTime);
  const end = isWritten && parseDatetime(endOf(draft), zone);
  if (!end) return { end: texts.faults.end };
  return end.instant < start.instant ? { end: texts.faults.order } : {};
}

function faultsOfDays({ startDay, endDay }: Times): Faults {
  if (endDay === "") return {};
  if (!DAY.test(endDay) || !parseDatetime(endDay))
    return { end: texts.faults.endDay };
  return endDay < startDay ? { end: texts.faults.order } : {};
}

export function calendarOf({ calendar }: EventDraft): CalendarId | undefined {
  return calendar === "" ? undefined : (Number(calendar) as CalendarId);
}
