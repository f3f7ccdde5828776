import type { CalendarEvent } from "../../features/events/index.ts";
import type { EventReminders } from "../../features/reminders/index.ts";
import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { reminderTexts as texts } from "../languages/texts.ts";
import { eventPath } from "./event-parts.ts";

/** The value of a choice that takes what the settings say. */
export const USUAL = "usual";
/** The value of a choice of no reminder. */
export const NEVER = "never";

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const TIMED = [0, 5, 10, 30, HOUR, 2 * HOUR, DAY, 2 * DAY, WEEK];
/** In minutes before midnight: at 18:00 and 9:00 of the day before, and days before that. */
const OF_DAYS = [6 * HOUR, 15 * HOUR, DAY, 2 * DAY, WEEK];

/** The reminders that are offered, with one that was chosen elsewhere. */
function offered(isOfDay: boolean, chosen: number | undefined): number[] {
  const all = isOfDay ? OF_DAYS : TIMED;
  return chosen === undefined || all.includes(chosen)
    ? all
    : [...all, chosen].sort((a, b) => a - b);
}

/** When a reminder comes, in words. */
export function inWordsOf(minutes: number, isOfDay: boolean): string {
  if (minutes === 0) return texts.atStart;
  if (minutes % WEEK === 0) return texts.weeks(minutes / WEEK);
  if (minutes % DAY === 0) return texts.days(minutes / DAY);
  if (isOfDay && minutes < DAY) return texts.dayBefore(clockOf(DAY - minutes));
  if (minutes % HOUR === 0) return texts.hours(minutes / HOUR);
  return texts.minutes(minutes);
}

const clockOf = (minutes: number): string =>
  `${Math.floor(minutes / HOUR)}:${String(minutes % HOUR).padStart(2, "0")}`;

/** The choice of a reminder for one event. */
export function reminderForm(
  session: Session,
  { guid, allDay }: CalendarEvent,
  { minutes, isChosen }: EventReminders,
): Html {
  const [first] = minutes;
  const usual = minutes.map((it) => inWordsOf(it, allDay)).join(", ");
  const chosen = isChosen ? first : undefined;
  return html`<form
    method="post"
    action="${eventPath(guid)}/reminder"
    class="reminder"
  >
    ${csrfField(session)}
    <label for="reminder">${texts.title}</label>
    <select id="reminder" name="minutes">
      ${
        !isChosen &&
        html`<option value="${USUAL}" selected>
          ${texts.usual(usual || texts.never)}
        </option>`
      }
      ${optionsOf(offered(allDay, chosen), allDay, isChosen ? (first ?? null) : undefined)}
    </select>
    <button class="second">${texts.save}</button>
  </form>`;
}

/** @param chosen null for never; undefined for none of them */
function optionsOf(
  all: readonly number[],
  isOfDay: boolean,
  chosen: number | null | undefined,
): Html[] {
  return [
    html`<option value="${NEVER}" ${chosen === null && html`selected`}>
      ${texts.never}
    </option>`,
    ...all.map(
      (it) =>
        html`<option value="${it}" ${chosen === it && html`selected`}>
          ${inWordsOf(it, isOfDay)}
        </option>`,
    ),
  ];
}

/** The choice of the usual reminder, in the settings. */
export function usualReminderField(
  name: string,
  chosen: number | null,
  isOfDay: boolean,
): Html {
  const all = offered(isOfDay, chosen ?? undefined);
  return html`<p>
    <label for="${name}">${isOfDay ? texts.ofDays : texts.ofEvents}</label>
    <select id="${name}" name="${name}">
      ${optionsOf(all, isOfDay, chosen)}
    </select>
  </p>`;
}
