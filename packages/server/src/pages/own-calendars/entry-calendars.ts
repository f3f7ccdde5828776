import type { SignedIn } from "../../features/accounts/index.ts";
import type { Calendars } from "../../features/calendars/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { CalendarId } from "../../features/ids.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { calendarTexts, eventFormTexts } from "../languages/texts.ts";
import { swatchView } from "./calendar-colors.ts";

/** The calendar in which an event of the month is. */
export type EntryCalendar = {
  readonly name: string;
  /** `#RRGGBB`; null without one. */
  readonly color: string | null;
  /** Is it one of another server? */
  readonly isElsewhere: boolean;
};

/** As many as an account can have. */
export const ALL_CALENDARS = { offset: 0, limit: 200 };

/** Loads the reader's calendars, own and shared, if some of the events are in any. */
export async function loadEntryCalendars(
  { calendars }: { readonly calendars: Pick<Calendars, "list" | "listShared"> },
  reader: SignedIn,
  events: readonly Pick<CalendarEvent, "calendarId">[],
): Promise<ReadonlyMap<CalendarId | null, EntryCalendar>> {
  if (events.every(({ calendarId }) => calendarId === null)) return new Map();
  const [own, shared] = await Promise.all([
    calendars.list(reader.userId, ALL_CALENDARS),
    calendars.listShared(reader),
  ]);
  return new Map(
    [...own, ...shared].map(({ id, name, color }) => [
      id,
      { name, color, isElsewhere: false },
    ]),
  );
}

/** Names the calendar of an event. */
export function calendarChip({ name, color }: EntryCalendar): Html {
  return html`<span class="chip"
    ><span class="unseen">${eventFormTexts.calendar}: </span
    >${swatchView(color)}<bdi>${name}</bdi></span
  >`;
}

/** Says which colours stand for which calendars. */
export function legendView(shown: readonly EntryCalendar[]): HtmlValue {
  const coloured = shown.filter(({ color }) => color !== null);
  const each = new Map(
    coloured.map((calendar) => [
      `${calendar.color} ${calendar.name}`,
      calendar,
    ]),
  );
  if (each.size === 0) return undefined;
  return html`<ul class="legend" aria-label="${calendarTexts.title}">
    ${[...each.values()].map(
      ({ name, color }) =>
        html`<li>${swatchView(color)}<bdi>${name}</bdi></li>`,
    )}
  </ul>`;
}
