import { partsOf } from "../recurrence-rule.ts";

/** From Monday, as rules name them. */
export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const FREQUENCIES = ["daily", "weekly", "monthly", "yearly"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A rule that people make: they can say it in a sentence. */
export type SimpleRule = {
  readonly frequency: Frequency;
  /** Every so many days, weeks, months or years. */
  readonly interval: number;
  /** Of a weekly one; none for that of the start. */
  readonly weekdays: readonly Weekday[];
  /** Of a monthly one: the first to fourth, or last (-1), such day; else the day of the start. */
  readonly nth: { readonly n: number; readonly weekday: Weekday } | undefined;
  /** The last day, `YYYY-MM-DD`. */
  readonly until: string | undefined;
  readonly count: number | undefined;
};

type When = {
  readonly allDay: boolean;
  readonly start: string;
  readonly timeZone: string;
};

/**
 * Reads a rule that was checked.
 * @returns undefined for one with more parts than a form has
 */
export function readSimpleRule(
  rule: string,
  event: When,
): SimpleRule | undefined {
  const parts = partsOf(rule);
  const frequency = FREQUENCIES.find(
    (it) => it.toUpperCase() === parts.get("FREQ"),
  );
  if (!frequency) return undefined;
  const start = firstDay(event);
  const days = parts.get("BYDAY")?.split(",") ?? [];
  const weekdays = WEEKDAYS.filter((it) => days.includes(it));
  const nth = readNth(days);
  const isKnown =
    (days.length === 0 ||
      (frequency === "weekly" && weekdays.length === days.length) ||
      (frequency === "monthly" && nth !== undefined)) &&
    isImplied(parts.get("BYMONTHDAY"), start.day, frequency !== "weekly") &&
    isImplied(parts.get("BYMONTH"), start.month, frequency === "yearly") &&
    // The week matters to rules of several weeks with several days alone.
    (parts.get("WKST") ?? "MO") === "MO" &&
    [...parts.keys()].every((name) => KNOWN.has(name));
  if (!isKnown) return undefined;
  const until = parts.get("UNTIL");
  return {
    ...{ frequency, weekdays, nth },
    interval: Number(parts.get("INTERVAL") ?? 1),
    until: until === undefined ? undefined : dayOfUntil(until, event),
    count: parts.has("COUNT") ? Number(parts.get("COUNT")) : undefined,
  };
}

const KNOWN = new Set(
  `FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH WKST`.split(" "),
);

function firstDay({ allDay, start, timeZone }: When): Temporal.PlainDate {
  return allDay
    ? Temporal.PlainDate.from(start)
    : Temporal.Instant.from(start).toZonedDateTimeISO(timeZone).toPlainDate();
}

function readNth([day, ...others]: readonly string[]): SimpleRule["nth"] {
  const [, n, name] = /^\+?(-?\d)([A-Z]{2})$/.exec(day ?? "") ?? [];
  const weekday = WEEKDAYS.find((it) => it === name);
  const isPossible = ["1", "2", "3", "4", "-1"].includes(n ?? "");
  return others.length === 0 && weekday && isPossible
    ? { n: Number(n), weekday }
    : undefined;
}

/** Does a part say no more than the start does? */
function isImplied(
  part: string | undefined,
  ofStart: number,
  isPossible: boolean,
): boolean {
  return part === undefined || (isPossible && Number(part) === ofStart);
}

function dayOfUntil(until: string, { allDay, timeZone }: When): string {
  const [, year, month, day, time] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{6})Z)?/.exec(until) ?? [];
  const date = `${year}-${month}-${day}`;
  if (allDay || time === undefined) return date;
  const at = `${date}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`;
  const instant = Temporal.Instant.from(at);
  return instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The value of its `RRULE`: a day counts to its end, by the clock of the event. */
export function writeSimpleRule(
  { frequency, interval, weekdays, nth, until, count }: SimpleRule,
  { allDay, timeZone }: Pick<When, "allDay" | "timeZone">,
): string {
  return [
    `FREQ=${frequency.toUpperCase()}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(frequency === "weekly" && weekdays.length > 0
      ? [`BYDAY=${weekdays.join()}`]
      : []),
    ...(frequency === "monthly" && nth ? [`BYDAY=${nth.n}${nth.weekday}`] : []),
    ...(until === undefined
      ? count === undefined
        ? []
        : [`COUNT=${count}`]
      : [`UNTIL=${allDay ? bare(until) : endOf(until, timeZone)}`]),
  ].join(";");
}

const bare = (text: string) => text.replaceAll(/[-:]/g, "");

function endOf(day: string, timeZone: string): string {
  const last = Temporal.PlainDate.from(day)
    .toPlainDateTime("23:59:59")
    .toZonedDateTime(timeZone);
  return bare(last.toInstant().toString({ smallestUnit: "second" }));
}
