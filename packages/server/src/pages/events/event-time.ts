import {
  startInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { eventTexts as texts } from "../languages/texts.ts";

const DAY: Intl.DateTimeFormatOptions = {
  ...{ weekday: "long", day: "numeric", month: "long", year: "numeric" },
};

const HOUR: Intl.DateTimeFormatOptions = {
  ...{ hour: "numeric", minute: "2-digit" },
};

type Times = Pick<CalendarEvent, "allDay" | "start" | "end" | "timeZone">;

/**
 * When an event takes place: in the zone of the reader, and in its own.
 * @param isZoneKnown false for visitors without an account, who get its own alone
 */
export function eventTimeView(event: Times, isZoneKnown: boolean): HtmlValue {
  if (event.allDay)
    return html`<p class="when">
      ${timeElement(event, texts.allDay(inWords(event, "UTC")))}
    </p>`;
  const { timeZone } = event;
  const there = inWords(event, timeZone);
  if (!isZoneKnown)
    return html`<p class="when">
      ${timeElement(event, texts.localTime(there, timeZone))}
    </p>`;
  const here = inWords(event, currentTimeZone());
  if (here === there)
    return html`<p class="when">${timeElement(event, here)}</p>`;
  return html`<p class="when">${timeElement(event, texts.yourTime(here))}</p>
    <p class="quiet">${texts.localTime(there, timeZone)}</p>`;
}

/** In one line: in the zone of the reader, if it is known, else in its own. */
export function shortTimeView(event: Times, isZoneKnown: boolean): Html {
  const zone = isZoneKnown ? currentTimeZone() : event.timeZone;
  const words = inWords(event, event.allDay ? "UTC" : zone);
  const shown = event.allDay
    ? texts.allDay(words)
    : isZoneKnown
      ? words
      : texts.localTime(words, zone);
  return html`<p class="when">${timeElement(event, shown)}</p>`;
}

/** The hours, beneath the name of the day; the whole where it lasts for days. */
export function hoursView(event: Times): Html {
  const zone = currentTimeZone();
  const [first, last] = daysOf(event, zone);
  if (event.allDay && first === last)
    return html`<p class="when">${timeElement(event, texts.wholeDay)}</p>`;
  if (first !== last) return shortTimeView(event, true);
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...HOUR,
    timeZone: zone,
  });
  return html`<p class="when">
    ${timeElement(event, rangeOf(event, format))}
  </p>`;
}

/** The first and the last day, `YYYY-MM-DD`, on which it takes place. */
export function daysOf(
  { allDay, start, end }: Times,
  timeZone: string,
): readonly [first: string, last: string] {
  if (allDay) return [start, end !== null && end > start ? end : start];
  const first = dateIn(timeZone, start);
  if (end === null || end <= start) return [first, first];
  // An end at midnight is not on the day that begins then.
  const before = timestamp(later(new Date(end), -1));
  return [first, dateIn(timeZone, before)];
}

/**
 * A block with the month and the day of its start, beside the words.
 * @param isZoneKnown false for visitors without an account, who get its own zone
 */
export function dateBlock(event: Times, isZoneKnown: boolean): Html {
  const { month, day, weekday } = dateParts(event, isZoneKnown);
  return html`<span class="date-block" aria-hidden="true"
    >${month}<b>${day}</b>${weekday}</span
  >`;
}

/** @param isZoneKnown as for `dateBlock` */
export function dateParts(event: Times, isZoneKnown: boolean) {
  const zone = isZoneKnown ? currentTimeZone() : event.timeZone;
  const timeZone = event.allDay ? "UTC" : zone;
  const date = new Date(startInstant(event));
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(currentLanguage(), { ...options, timeZone }).format(
      date,
    );
  return {
    month: part({ month: "short" }),
    day: part({ day: "numeric" }),
    weekday: part({ weekday: "short" }),
  };
}

/** The days of a whole-day event, or the days and hours of any other. */
export function inWords(event: Times, timeZone: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...DAY,
    ...(event.allDay ? {} : HOUR),
    timeZone,
  });
  return rangeOf(event, format);
}

/** A day, `YYYY-MM-DD`, in words. */
export function dayInWords(date: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...DAY,
    timeZone: "UTC",
  });
  return format.format(new Date(date));
}

function rangeOf(
  { allDay, start, end }: Times,
  format: Intl.DateTimeFormat,
): string {
  const from = new Date(startInstant({ allDay, start }));
  const to = new Date(startInstant({ allDay, start: end ?? start }));
  return to > from ? format.formatRange(from, to) : format.format(from);
}

/** The end is for programs: the words tell it, too. */
function timeElement({ start, end }: Times, words: string): Html {
  return html`<time class="dt-start" datetime="${start}">${words}</time
    >${end !== null && html`<data class="dt-end" value="${end}"></data>`}`;
}
