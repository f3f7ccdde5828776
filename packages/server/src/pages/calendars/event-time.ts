import {
  startInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
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

/** A block with the month and the day of its start, beside the words. */
export function dateBlock({ allDay, start }: Times): Html {
  const timeZone = allDay ? "UTC" : currentTimeZone();
  const date = new Date(startInstant({ allDay, start }));
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(currentLanguage(), { ...options, timeZone }).format(
      date,
    );
  return html`<span class="date-block" aria-hidden="true"
    >${part({ month: "short" })}<b>${part({ day: "numeric" })}</b>${part({ weekday: "short" })}</span
  >`;
}

/** The days of a whole-day event, or the days and hours of any other. */
export function inWords(event: Times, timeZone: string): string {
  const { allDay, start, end } = event;
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...DAY,
    ...(allDay ? {} : HOUR),
    timeZone,
  });
  const from = new Date(startInstant({ allDay, start }));
  const to = new Date(startInstant({ allDay, start: end ?? start }));
  return to > from ? format.formatRange(from, to) : format.format(from);
}

function timeElement({ start }: Times, words: string): Html {
  return html`<time class="dt-start" datetime="${start}">${words}</time>`;
}
