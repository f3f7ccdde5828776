import type { Timestamp } from "../../lib/time/clock.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { html, type Html } from "./html.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Formats = {
  readonly day: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;
};

/** By language and time zone: as many as there are zones at most. */
const made = new Map<string, Formats>();

/** A time for people: relative within a week, then the date. */
export function timeView(at: Timestamp, now: Date, className?: string): Html {
  const date = new Date(at);
  const { exact } = currentFormats();
  return html`<time
    ${className && html`class="${className}"`}
    datetime="${at}"
    title="${exact.format(date)}"
    >${inWords(date, now)}</time
  >`;
}

function inWords(date: Date, now: Date): string {
  const { day, relative } = currentFormats();
  const ago = now.getTime() - date.getTime();
  if (ago < MINUTE_MS) return relative.format(0, "second");
  if (ago < HOUR_MS)
    return relative.format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return relative.format(-Math.floor(ago / HOUR_MS), "hour");
  if (ago < 7 * DAY_MS)
    return relative.format(-Math.floor(ago / DAY_MS), "day");
  return day.format(date);
}

/** A day in words. */
export const dayOf = (at: string): string =>
  currentFormats().day.format(new Date(at));

/** A day in the future. */
export function dayView(at: string): Html {
  return html`<time datetime="${at}">${dayOf(at)}</time>`;
}

/** A day with its hour. */
export function dayTimeView(at: Timestamp): Html {
  const { exact } = currentFormats();
  return html`<time datetime="${at}">${exact.format(new Date(at))}</time>`;
}

function currentFormats(): Formats {
  const language = currentLanguage();
  const timeZone = currentTimeZone();
  const name = `${language} ${timeZone}`;
  const known = made.get(name);
  if (known) return known;
  const formats = {
    day: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone }),
    exact: new Intl.DateTimeFormat(language, {
      ...{ year: "numeric", month: "long", day: "numeric" },
      ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short" },
      timeZone,
    }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
  };
  made.set(name, formats);
  return formats;
}
