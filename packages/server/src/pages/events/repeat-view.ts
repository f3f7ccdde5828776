import {
  findOccurrence,
  rulesBudget,
  type CalendarEvent,
  type Events,
} from "../../features/events/index.ts";
import {
  FREQUENCIES,
  WEEKDAYS,
} from "../../lib/icalendar/series/simple-rule.ts";
import { nameOf, ruleInWords } from "../../lib/messages/rule-in-words.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { notesOf, notesView } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { currentLanguage } from "../languages/reader.ts";
import { repeatTexts as texts } from "../languages/texts.ts";
import { eventPath } from "./event-parts.ts";
import { inWords, shortTimeView } from "./event-time.ts";
import type { RepeatDraft, RepeatFaults, RepeatField } from "./repeat-draft.ts";

/** An event of a series on its day. */
export type ShownOccurrence = {
  readonly at: string;
  readonly event: CalendarEvent;
};

/** The next events of a series. */
const MAX_COMING = 5;

export function listComing(
  events: Pick<Events, "listOccurrences">,
  event: CalendarEvent,
  now: Date,
): ShownOccurrence[] {
  const range = { from: timestamp(now) };
  return events
    .listOccurrences(event, range, rulesBudget())
    .slice(0, MAX_COMING)
    .map((it) => occurrenceOf(event, it));
}

/** An event of a series as an event of its own. */
export function occurrenceOf(
  event: CalendarEvent,
  { at, start, end, changed }: ReturnType<Events["listOccurrences"]>[number],
): ShownOccurrence {
  const status = changed?.isCancelled === true ? "cancelled" : event.status;
  return { at, event: { ...event, ...changed, start, end, status } };
}

/** How it repeats, and when next. @param isOwn whether the reader may change it */
export function repeatsView(
  event: CalendarEvent,
  coming: readonly ShownOccurrence[],
  reader: { readonly isOwn: boolean; readonly isZoneKnown: boolean },
): HtmlValue {
  const { recurrence, guid } = event;
  if (!recurrence) return undefined;
  return html`<section>
    <p>
      ${texts.repeats(ruleInWords(currentLanguage(), recurrence.rule, event))}
    </p>
    ${
      coming.length > 0 &&
      html`<h2>${texts.coming}</h2>
        <ul class="plain">
          ${coming.map(
            ({ at, event: one }) =>
              html`<li>
                ${shortTimeView(one, reader.isZoneKnown)}
                ${one.summary !== event.summary && html`<bdi>${one.summary}</bdi>`}
                ${one.status === "cancelled" && html`<span class="quiet">(${texts.cancelled})</span>`}
                ${
                  reader.isOwn &&
                  html`<a
                    href="${eventPath(guid)}/edit?occurrence=${encodeURIComponent(at)}"
                    >${texts.change}</a
                  >`
                }
              </li>`,
          )}
        </ul>`
    }
  </section>`;
}

/** @param event the one that is changed */
export function repeatFields(
  draft: RepeatDraft,
  faults: RepeatFaults,
  event: CalendarEvent | undefined,
): Html {
  const { frequency, interval, weekdays, until, count } = draft;
  const rule = event?.recurrence?.rule ?? null;
  const isOther = frequency === "other" && event?.recurrence;
  return html`<fieldset class="repeats">
    <legend>${texts.legend}</legend>
    ${
      isOther &&
      html`<p>${texts.repeats(ruleInWords(currentLanguage(), rule, event))}</p>`
    }
    <p>
      <label for="repeats">${texts.how}</label>
      <select id="repeats" name="repeats">
        ${(
          [
            "once",
            ...FREQUENCIES,
            ...(isOther ? ["other" as const] : []),
          ] as const
        ).map(
          (it) =>
            html`<option value="${it}" ${it === frequency && html`selected`}>
              ${texts.frequency[it]}
            </option>`,
        )}
      </select>
    </p>
    <details ${frequency !== "once" && html`open`}>
      <summary>${texts.more}</summary>
      ${field(
        ...(["interval", { label: texts.interval }] as const),
        html`type="number" min="1" max="10000" value="${interval}"`,
        faults,
      )}
      <fieldset>
        <legend>${texts.weekdays}</legend>
        ${WEEKDAYS.map(
          (day) =>
            html`<label class="choice">
              <input
                type="checkbox"
                name="weekday"
                value="${day}"
                ${weekdays.includes(day) && html`checked`}
              />
              <span>${nameOf(day, currentLanguage())}</span>
            </label>`,
        )}
      </fieldset>
      ${field(
        ...(["until", { label: texts.until, hint: texts.untilHint }] as const),
        html`type="date" value="${until}"`,
        faults,
      )}
      ${field(
        ...(["count", { label: texts.count }] as const),
        html`type="number" min="1" max="2000" value="${count}"`,
        faults,
      )}
    </details>
  </fieldset>`;
}

function field(
  name: RepeatField,
  { label, hint }: { readonly label: string; readonly hint?: string },
  attributes: Html,
  faults: RepeatFaults,
): Html {
  const notes = { ...(hint !== undefined && { hint }), fault: faults[name] };
  return html`<p>
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" ${attributes} ${notesOf(name, notes)} />
    ${notesView(name, notes)}
  </p>`;
}

/** Of one event of a series, in place of what the series has. */
export function occurrenceFields(
  occurrence: string,
  isCancelled: boolean,
  event: CalendarEvent,
): Html {
  const planned = findOccurrence(event, occurrence);
  return html`<p>
      ${planned && texts.oneAbout(inWords(planned, event.allDay ? "UTC" : event.timeZone))}
    </p>
    <input type="hidden" name="occurrence" value="${occurrence}" />
    <label class="choice">
      <input
        type="checkbox"
        name="cancelled"
        value="true"
        ${isCancelled && html`checked`}
      />
      <span>${texts.isCancelled}</span>
    </label>`;
}
