import type { CalendarEvent } from "../../features/events/index.ts";
import { text } from "../../http/input/input.ts";
import {
  FREQUENCIES,
  readSimpleRule,
  WEEKDAYS,
  writeSimpleRule,
  type Frequency,
  type Weekday,
} from "../../lib/icalendar/series/simple-rule.ts";
import { MAX_INSTANCES } from "../../lib/icalendar/recurrence-rule.ts";
import { Type } from "../../lib/json-schema.ts";
import { parseDatetime } from "../../lib/time/datetime.ts";
import { repeatTexts as texts } from "../languages/texts.ts";

/** How an event repeats, as it was typed. */
export type RepeatDraft = {
  /** `other`: as it does, by a rule that the form does not have, or without an answer. */
  readonly frequency: Frequency | "once" | "other";
  readonly interval: string;
  readonly weekdays: readonly Weekday[];
  readonly until: string;
  readonly count: string;
};

export const REPEAT_FIELDS = {
  repeats: text("How often it repeats; “other” keeps its rule"),
  interval: text("Every how many days, weeks, months or years"),
  weekday: Type.Optional(
    Type.Array(Type.String(), {
      description: "The days of a weekly one: MO, TU, WE, TH, FR, SA, SU",
    }),
  ),
  until: text("The last day of the series; none for no end"),
  count: text("How many times it takes place; none for no end"),
};

export const ONCE: RepeatDraft = {
  ...{ frequency: "once", interval: "1" },
  ...{ weekdays: [], until: "", count: "" },
};

export function readRepeatDraft(input: {
  readonly repeats?: string | undefined;
  readonly interval?: string | undefined;
  readonly weekday?: readonly string[] | undefined;
  readonly until?: string | undefined;
  readonly count?: string | undefined;
}): RepeatDraft {
  const { repeats, interval = "1", weekday = [], until, count } = input;
  return {
    frequency:
      repeats === undefined || repeats === "other"
        ? "other"
        : (FREQUENCIES.find((it) => it === repeats) ?? "once"),
    interval,
    weekdays: WEEKDAYS.filter((it) => weekday.includes(it)),
    ...{ until: until ?? "", count: count ?? "" },
  };
}

export function repeatDraftOf(event: CalendarEvent): RepeatDraft {
  const { recurrence } = event;
  if (!recurrence) return ONCE;
  const { rule } = recurrence;
  const simple = rule === null ? undefined : readSimpleRule(rule, event);
  if (!simple || simple.nth) return { ...ONCE, frequency: "other" };
  const { frequency, interval, weekdays, until, count } = simple;
  return {
    ...{ frequency, weekdays, interval: String(interval) },
    until: until ?? "",
    count: count === undefined ? "" : String(count),
  };
}

const MAX_INTERVAL = 10_000;

/** The fields of a repetition that can be faulty. */
export type RepeatField = "interval" | "until" | "count";

export type RepeatFaults = Readonly<Partial<Record<RepeatField, string>>>;

/** The words for the first field that is wrong, if one is. */
export function faultsOfRepeat(
  { frequency, interval, until, count }: RepeatDraft,
  startDay: string,
): RepeatFaults {
  const { faults } = texts;
  if (frequency === "once" || frequency === "other") return {};
  if (!isNumber(interval, MAX_INTERVAL)) return { interval: faults.interval };
  if (until !== "" && count !== "") return { count: faults.both };
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(until) && parseDatetime(until);
  if (until !== "" && (!isDay || until < startDay))
    return { until: faults.until };
  if (count !== "" && !isNumber(count, MAX_INSTANCES))
    return { count: faults.count };
  return {};
}

function isNumber(typed: string, max: number): boolean {
  return /^[1-9]\d{0,5}$/.test(typed) && Number(typed) <= max;
}

/**
 * The rule of a draft without faults; empty for an event that takes place once.
 * @returns undefined if the present one stays
 */
export function ruleOf(
  draft: RepeatDraft,
  event: { readonly allDay: boolean; readonly timeZone: string },
  before?: CalendarEvent,
): string | undefined {
  const { frequency, interval, weekdays, until, count } = draft;
  if (frequency === "other") return undefined;
  const kept = before && repeatDraftOf(before);
  const isKept = JSON.stringify(kept) === JSON.stringify(draft);
  // The time of the day, or the zone, is in the end of a series.
  if (isKept && (until === "" || before?.timeZone === event.timeZone))
    return undefined;
  if (frequency === "once") return "";
  return writeSimpleRule(
    {
      ...{ frequency, weekdays, nth: undefined, interval: Number(interval) },
      until: until === "" ? undefined : until,
      count: count === "" ? undefined : Number(count),
    },
    event,
  );
}
