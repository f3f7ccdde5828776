import type { CalendarEvent } from "../../features/events/index.ts";
import type { ParticipationStatus } from "../../features/participations/index.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { dayInWords, daysOf } from "../events/event-time.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import {
  calendarTexts,
  eventFormTexts,
  eventTexts,
} from "../languages/texts.ts";
import { swatchView } from "../own-calendars/calendar-colors.ts";
import {
  legendView,
  type EntryCalendar,
} from "../own-calendars/entry-calendars.ts";
import { birthdayView, type BirthdaysByDay } from "./birthdays.ts";
import { addMonths, type Weeks } from "./month.ts";

const texts = eventTexts.month;

export const CALENDAR = "/calendar";

/** An event at one of its times. */
export type MonthEntry = {
  readonly event: Pick<
    CalendarEvent,
    "allDay" | "end" | "start" | "status" | "summary" | "timeZone"
  >;
  readonly href: string;
  /** Is it the reader's own? */
  readonly isOwn: boolean;
  readonly answer?: ParticipationStatus | undefined;
  /** Missing for an event that is in no calendar of the reader. */
  readonly calendar?: EntryCalendar | undefined;
};

/** The data of the page. */
export type MonthPage = {
  /** `YYYY-MM` */
  readonly month: string;
  readonly weeks: Weeks;
  /** In the zone of the reader. */
  readonly today: string;
  /** In the order of their starts. */
  readonly entries: readonly MonthEntry[];
  /** The contacts who have theirs, by the day. */
  readonly birthdays: BirthdaysByDay;
  /** Are there more events? */
  readonly isCut: boolean;
};

/** A month as a table, and as a list of its days on narrow screens. */
export function monthView(page: MonthPage): Html {
  const byDay = eventsByDay(page);
  return html`<h1>${monthInWords(page.month)}</h1>
    ${stepsView(page)} ${tableView(page, byDay)} ${listView(page, byDay)}
    ${legendView(page.entries.flatMap(({ calendar }) => calendar ?? []))}
    ${page.isCut && html`<p class="quiet">${texts.cut}</p>`}
    <p class="actions">
      <a class="button" href="/events/new">${eventFormTexts.plan}</a>
      <a href="/events">${texts.toAgenda}</a>
      <a href="/settings/calendars">${calendarTexts.title}</a>
    </p>`;
}

export function monthInWords(month: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...{ month: "long", year: "numeric", timeZone: "UTC" },
  });
  return format.format(new Date(`${month}-01`));
}

function stepsView({ month, today }: MonthPage): Html {
  const step = (to: string, words: string, rel?: string) =>
    html`<a
      class="button second"
      href="${CALENDAR}?month=${to}"
      ${rel !== undefined && html`rel="${rel}"`}
      aria-label="${words}: ${monthInWords(to)}"
      >${words}</a
    >`;
  return html`<nav class="actions months" aria-label="${texts.months}">
    ${step(addMonths(month, -1), texts.previous, "prev")}
    ${step(today.slice(0, "YYYY-MM".length), eventTexts.today)}
    ${step(addMonths(month, 1), texts.next, "next")}
  </nav>`;
}

type ByDay = ReadonlyMap<string, readonly MonthEntry[]>;

/** An event over several days is on each of them. */
function eventsByDay({ entries, weeks }: MonthPage): ByDay {
  const zone = currentTimeZone();
  const spans = entries.map((entry) => ({
    entry,
    span: daysOf(entry.event, zone),
  }));
  return new Map(
    weeks
      .flat()
      .map((day) => [
        day,
        spans.flatMap(({ entry, span: [first, last] }) =>
          first <= day && day <= last ? [entry] : [],
        ),
      ]),
  );
}

function tableView(page: MonthPage, byDay: ByDay): Html {
  const [firstWeek = []] = page.weeks;
  const name = (weekday: "short" | "long") =>
    new Intl.DateTimeFormat(currentLanguage(), { weekday, timeZone: "UTC" });
  return html`<table class="month">
    <caption class="unseen">
      ${monthInWords(page.month)}
    </caption>
    <thead>
      <tr>
        ${firstWeek.map(
          (day) =>
            html`<th scope="col" abbr="${name("long").format(new Date(day))}">
              ${name("short").format(new Date(day))}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${page.weeks.map(
        (week) =>
          html`<tr>
            ${week.map((day) => dayCell(page, day, byDay.get(day) ?? []))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayCell(
  page: MonthPage,
  day: string,
  events: readonly MonthEntry[],
): Html {
  const isOutside = !day.startsWith(page.month);
  const number = Number(day.slice(-2));
  return html`<td
    ${isOutside && html`class="outside"`}
    ${day === page.today && html`aria-current="date"`}
  >
    <a
      class="day"
      href="/events/new?start_day=${day}"
      aria-label="${texts.planOn(dayInWords(day))}"
      >${number}</a
    >
    ${
      hasEntries(page, day, events) &&
      html`<ul>
        ${entriesView(page, day, events)}
      </ul>`
    }
  </td>`;
}

/** The days of the month that have events. */
function listView(page: MonthPage, byDay: ByDay): Html {
  const days = [...byDay].filter(
    ([day, events]) =>
      day.startsWith(page.month) && hasEntries(page, day, events),
  );
  if (days.length === 0) return html`<p class="month-list">${texts.none}</p>`;
  return html`<div class="month-list">
    ${days.map(
      ([day, events]) =>
        html`<section aria-labelledby="on-${day}">
          <h2 id="on-${day}">
            ${day === page.today && `${eventTexts.today}, `}${dayInWords(day)}
          </h2>
          <ul class="plain">
            ${entriesView(page, day, events)}
          </ul>
        </section>`,
    )}
  </div>`;
}

function hasEntries(
  { birthdays }: MonthPage,
  day: string,
  events: readonly MonthEntry[],
): boolean {
  return events.length > 0 || birthdays.has(day);
}

function entriesView(
  page: MonthPage,
  day: string,
  events: readonly MonthEntry[],
): Html {
  return html`${(page.birthdays.get(day) ?? []).map(birthdayView)}
  ${events.map((entry) => html`<li>${entryView(entry, day)}</li>`)}`;
}

function entryView(entry: MonthEntry, day: string): Html {
  const { event, answer, calendar } = entry;
  const kinds = [
    "entry",
    entry.isOwn || answer === "accepted" ? "mine" : undefined,
    calendar?.isElsewhere ? "elsewhere" : undefined,
    event.status === "cancelled" || answer === "declined" ? "off" : undefined,
  ].filter((it) => it !== undefined);
  return html`<a class="${kinds.join(" ")}" href="${entry.href}"
    >${swatchView(calendar?.color ?? null)}${hourOf(event, day)}<bdi>${event.summary || eventTexts.untitled}</bdi>${stateOf(event, answer)}${
      calendar !== undefined &&
      html`<span class="unseen"> (${calendar.name})</span>`
    }</a
  >`;
}

/** Words for what the colour alone would say. */
function stateOf(
  { status }: MonthEntry["event"],
  answer: ParticipationStatus | undefined,
): HtmlValue {
  const words =
    status === "cancelled"
      ? texts.cancelled
      : answer === "declined"
        ? texts.declined
        : undefined;
  return words !== undefined && html`<span class="unseen"> (${words})</span>`;
}

/** The time on the first day of an event that has one. */
function hourOf(
  { allDay, start }: MonthEntry["event"],
  day: string,
): HtmlValue {
  const timeZone = currentTimeZone();
  if (allDay || dateIn(timeZone, start) !== day) return undefined;
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...{ hour: "numeric", minute: "2-digit", timeZone },
  });
  return html`<time datetime="${start}"
    >${format.format(new Date(start))}</time
  > `;
}
