import type { Timestamp } from "../../lib/time/clock.ts";
import { html, type Html } from "./html.ts";
import { englishPageTexts as texts } from "./texts.ts";

const absolute = new Intl.DateTimeFormat(texts.language, {
  dateStyle: "medium",
  timeZone: "UTC",
});
const exact = new Intl.DateTimeFormat(texts.language, {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});
const relative = new Intl.RelativeTimeFormat(texts.language, {
  numeric: "auto",
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time for people: relative within a week, then the date. */
export function timeView(at: Timestamp, now: Date): Html {
  const date = new Date(at);
  return html`<time datetime="${at}" title="${exact.format(date)} UTC"
    >${inWords(date, now)}</time
  >`;
}

function inWords(date: Date, now: Date): string {
  const ago = now.getTime() - date.getTime();
  if (ago < MINUTE_MS) return relative.format(0, "second");
  if (ago < HOUR_MS)
    return relative.format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return relative.format(-Math.floor(ago / HOUR_MS), "hour");
  if (ago < 7 * DAY_MS)
    return relative.format(-Math.floor(ago / DAY_MS), "day");
  return absolute.format(date);
}

/** A day in the future. */
export function dayView(at: string): Html {
  return html`<time datetime="${at}"
    >${at.slice(0, "2026-01-31".length)}</time
  >`;
}
