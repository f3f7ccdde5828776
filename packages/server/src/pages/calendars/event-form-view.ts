import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { Calendar } from "../../features/calendars/index.ts";
import {
  EVENT_LIMITS,
  type CalendarEvent,
} from "../../features/events/index.ts";
import { audienceChip, eventPath } from "../events/event-parts.ts";
import { occurrenceFields, repeatFields } from "../events/repeat-view.ts";
import { audienceFields } from "../compose/post-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  lineField,
  notesOf,
  notesView,
  textAreaField,
} from "../kit/form-fields.ts";
import { confirmView } from "../kit/components/confirm-view.ts";
import { errorSummary } from "../kit/components/notices-view.ts";
import { onceField } from "../session/write-once.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import {
  eventFormTexts as texts,
  eventTexts,
  pageTexts,
  repeatTexts,
} from "../languages/texts.ts";
import { readTimeZone } from "../../lib/time/datetime.ts";
import { AGENDA } from "./agenda-view.ts";
import {
  EVENT_AUDIENCES,
  type EventDraft,
  type FaultyField,
} from "./event-draft.ts";

export const NEW_EVENT = "/events/new";

/** The choices that a form offers. */
export type Choices = {
  readonly aspects: readonly Aspect[];
  readonly calendars: readonly Calendar[];
};

/** @param event the one that is changed; absent for a new one */
export function eventFormView(
  session: Session,
  draft: EventDraft,
  choices: Choices,
  event?: CalendarEvent,
): Html {
  const path = event ? `${eventPath(event.guid)}/edit` : NEW_EVENT;
  const isOne = draft.occurrence !== "";
  const title = isOne ? repeatTexts.one : texts.editTitle;
  return html`<h1>${event ? title : texts.newTitle}</h1>
    <form method="post" action="${path}" class="stacked write event-form">
      ${csrfField(session)} ${!event && onceField()} ${faultsView(draft)}
      ${lineField("summary", draft.summary, {
        ...{ label: texts.name, fault: draft.faults?.summary },
        attributes: html`dir="auto" required
        maxlength="${2 * EVENT_LIMITS.summary}"`,
      })}
      ${isOne && event && occurrenceFields(draft.occurrence, draft.isCancelled, event)}
      ${timeFields(draft)} ${zoneField(draft)}
      ${!isOne && repeatFields(draft.repeat, draft.faults ?? {}, event)}
      ${lineField("location", draft.location, {
        ...{ label: texts.where, fault: draft.faults?.location },
      })}
      ${textAreaField("description", draft.description, {
        ...{ label: texts.description, hint: pageTexts.write.hint, rows: 5 },
        fault: draft.faults?.description,
      })}
      ${!isOne && [capacityField(draft), approvalField(draft)]}
      ${!isOne && calendarField(draft, choices.calendars)}
      ${event ? audienceKept(event) : guestFields(draft, choices.aspects)}
      <p class="actions">
        <a href="${event ? eventPath(event.guid) : AGENDA}">${texts.cancel}</a>
        <button>${event ? texts.save : texts.create}</button>
      </p>
    </form>`;
}

/** Asks once before an event is deleted. */
export function deleteEventView(
  session: Session,
  { guid, summary }: CalendarEvent,
): Html {
  const path = eventPath(guid);
  return confirmView(session, {
    ...{ title: texts.deleteTitle, about: texts.deleteAbout },
    quoted: summary || eventTexts.untitled,
    ...{ action: `${path}/delete`, button: texts.delete },
    keep: { path, label: texts.keep },
  });
}

/** The first field of each part of the form that can be faulty. */
const FIRST_FIELD: Readonly<Record<FaultyField, string>> = {
  ...{ summary: "summary", start: "start_day", end: "end_day" },
  ...{ time_zone: "time_zone", location: "location" },
  ...{ description: "description", audience: "audience-everyone" },
  ...{ guests: "guests", calendar: "calendar" },
  ...{ interval: "interval", until: "until", count: "count" },
  capacity: "capacity",
};

function faultsView({ faults = {}, message }: EventDraft): HtmlValue {
  const found = Object.entries(faults) as [FaultyField, string][];
  return errorSummary(
    message,
    found.map(([name, words]) => ({ field: FIRST_FIELD[name], words })),
  );
}

function timeFields(draft: EventDraft): Html {
  const { allDay, startDay, startTime, endDay, endTime } = draft;
  return html`<label class="choice">
      <input
        type="checkbox"
        name="all_day"
        value="true"
        ${allDay && html`checked`}
      />
      <span>${texts.allDay} <small>${texts.allDayHint}</small></span>
    </label>
    ${momentFields("start", texts.start, startDay, startTime, draft)}
    ${momentFields("end", texts.end, endDay, endTime, draft, texts.endHint)}`;
}

function momentFields(
  name: "start" | "end",
  legend: string,
  day: string,
  time: string,
  draft: EventDraft,
  hint?: string,
): Html {
  const notes = {
    ...(hint !== undefined && { hint }),
    fault: draft.faults?.[name],
  };
  const about = notesOf(name, notes);
  return html`<fieldset class="moment">
    <legend>${legend}</legend>
    <p>
      <label for="${name}_day">${texts.day}</label>
      <input
        id="${name}_day"
        name="${name}_day"
        type="date"
        value="${day}"
        ${name === "start" && html`required`}
        ${about}
      />
    </p>
    <p>
      <label for="${name}_time">${texts.time}</label>
      <input
        id="${name}_time"
        name="${name}_time"
        type="time"
        value="${time}"
        ${about}
      />
    </p>
    ${notesView(name, notes)}
  </fieldset>`;
}

function zoneField(draft: EventDraft): Html {
  const fault = draft.faults?.time_zone;
  const chosen = readTimeZone(draft.timeZone);
  const zones = new Set([
    ...(chosen === undefined ? [] : [chosen]),
    ...["UTC", ...Intl.supportedValuesOf("timeZone")],
  ]);
  return html`<p>
    <label for="time_zone">${texts.zone}</label>
    <select id="time_zone" name="time_zone" ${notesOf("time_zone", { fault })}>
      ${[...zones]
        .sort()
        .map(
          (zone) =>
            html`<option ${zone === chosen && html`selected`}>${zone}</option>`,
        )}
    </select>
    ${notesView("time_zone", { fault })}
  </p>`;
}

function capacityField(draft: EventDraft): Html {
  const notes = { hint: texts.capacityHint, fault: draft.faults?.capacity };
  return html`<p>
    <label for="capacity">${texts.capacity}</label>
    <input
      id="capacity"
      name="capacity"
      inputmode="numeric"
      pattern="[0-9]*"
      maxlength="7"
      value="${draft.capacity}"
      autocomplete="off"
      ${notesOf("capacity", notes)}
    />
    ${notesView("capacity", notes)}
  </p>`;
}

function approvalField({ needsApproval }: EventDraft): Html {
  return html`<label class="choice">
    <input
      type="checkbox"
      name="approval"
      value="true"
      ${needsApproval && html`checked`}
    />
    <span>${texts.approval} <small>${texts.approvalHint}</small></span>
  </label>`;
}

function calendarField(
  draft: EventDraft,
  calendars: readonly Calendar[],
): HtmlValue {
  const fault = draft.faults?.calendar;
  if (calendars.length === 0 && fault === undefined) return undefined;
  return html`<p>
    <label for="calendar">${texts.calendar}</label>
    <select id="calendar" name="calendar" ${notesOf("calendar", { fault })}>
      <option value="">${texts.noCalendar}</option>
      ${calendars.map(
        ({ id, name }) =>
          html`<option
            value="${id}"
            ${String(id) === draft.calendar && html`selected`}
          >
            ${name}
          </option>`,
      )}
    </select>
    ${notesView("calendar", { fault })}
  </p>`;
}

/** The audience of an event is what its readers were promised. */
function audienceKept(event: CalendarEvent): Html {
  return html`<p>
    ${audienceChip(event)} <small>${texts.audienceKept}</small>
  </p>`;
}

function guestFields(draft: EventDraft, aspects: readonly Aspect[]): Html {
  const { faults = {} } = draft;
  return html`${audienceFields(EVENT_AUDIENCES, texts.audiences, aspects, draft, faults.audience)}
  ${lineField("guests", draft.guests, {
    ...{ label: texts.guests, hint: texts.guestsHint, fault: faults.guests },
    attributes: html`autocapitalize="none"`,
  })}`;
}
