import type { Language } from "../../lib/messages/messages.ts";
import { addDays } from "../../lib/time/datetime.ts";

/** The weeks of a month, each with seven days, `YYYY-MM-DD`. */
export type Weeks = readonly (readonly string[])[];

/** 1 is Monday, 7 is Sunday. */
const FIRST_WEEKDAY: Readonly<Record<Language, number>> = { en: 7, de: 1 };

/** @returns `YYYY-MM`, or undefined for other text */
export function readMonth(text: string | undefined): string | undefined {
  const [, year] = /^(\d{4})-(?:0[1-9]|1[0-2])$/.exec(text ?? "") ?? [];
  // The neighbours of the first and the last year have no month to lead to.
  return year !== undefined && year > "0001" && year < "9999"
    ? text
    : undefined;
}

/** The month so many months later; a negative number goes back. */
export function addMonths(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** The whole weeks that have a day of the month, as the language begins them. */
export function weeksOf(month: string, language: Language): Weeks {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const before = (first.dayOfWeek - FIRST_WEEKDAY[language] + 7) % 7;
  const count = Math.ceil((before + first.daysInMonth) / 7);
  const start = addDays(first.toString(), -before);
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(start, week * 7 + day)),
  );
}
