import {
  readSimpleRule,
  WEEKDAYS,
  type SimpleRule,
  type Weekday,
} from "../icalendar/series/simple-rule.ts";
import type { Language } from "./messages.ts";

type Words = {
  /** Every so many of them, with the days on which. */
  readonly every: (rule: SimpleRule, on: string) => string;
  readonly on: (weekdays: string) => string;
  readonly onNth: (n: number, weekday: string) => string;
  readonly until: (day: string) => string;
  readonly times: (n: number) => string;
  readonly other: string;
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    every: ({ frequency, interval }, on) => {
      const unit = {
        daily: "day",
        weekly: "week",
        monthly: "month",
        yearly: "year",
      }[frequency];
      return `every ${interval === 1 ? unit : `${interval} ${unit}s`}${on}`;
    },
    on: (weekdays) => ` on ${weekdays}`,
    onNth: (n, weekday) =>
      ` on the ${n === -1 ? "last" : ["first", "second", "third", "fourth"][n - 1]} ${weekday}`,
    until: (day) => `, until ${day}`,
    times: (n) => (n === 1 ? ", once" : `, ${n} times`),
    other: "by a rule that only calendar programs show",
  },
  de: {
    every: ({ frequency, interval }, on) => {
      const [each, many] = {
        daily: ["jeden Tag", "Tage"],
        weekly: ["jede Woche", "Wochen"],
        monthly: ["jeden Monat", "Monate"],
        yearly: ["jedes Jahr", "Jahre"],
      }[frequency];
      return `${interval === 1 ? each : `alle ${interval} ${many}`}${on}`;
    },
    on: (weekdays) => ` am ${weekdays}`,
    onNth: (n, weekday) =>
      ` am ${n === -1 ? "letzten" : ["ersten", "zweiten", "dritten", "vierten"][n - 1]} ${weekday}`,
    until: (day) => `, bis ${day}`,
    times: (n) => `, ${n}-mal`,
    other: "nach einer Regel, die nur Kalenderprogramme zeigen",
  },
};

/** How an event repeats, as the rest of a sentence; for dates alone, and rules of many parts, that it does. */
export function ruleInWords(
  language: Language,
  rule: string | null,
  event: {
    readonly allDay: boolean;
    readonly start: string;
    readonly timeZone: string;
  },
): string {
  const words = WORDS[language];
  const simple = rule === null ? undefined : readSimpleRule(rule, event);
  if (!simple) return words.other;
  const { weekdays, nth, until, count } = simple;
  const names = weekdays.map((day) => nameOf(day, language));
  const all = new Intl.ListFormat(language, { type: "conjunction" });
  const on = nth
    ? words.onNth(nth.n, nameOf(nth.weekday, language))
    : names.length > 0
      ? words.on(all.format(names))
      : "";
  const end =
    until !== undefined
      ? words.until(dayOf(until, language))
      : count !== undefined
        ? words.times(count)
        : "";
  return words.every(simple, on) + end;
}

export function nameOf(day: Weekday, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    ...{ weekday: "long", timeZone: "UTC" },
  });
  // A Monday.
  return format.format(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)));
}

function dayOf(day: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    ...{ dateStyle: "long", timeZone: "UTC" },
  });
  return format.format(new Date(day));
}
