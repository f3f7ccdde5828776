import type { CalendarEvent } from "../../features/events/index.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { EventReminders } from "../../features/reminders/index.ts";
import type { Person } from "../../features/people/index.ts";
import {
  answerView,
  audienceChip,
  eventPath,
  statusView,
} from "../events/event-parts.ts";
import {
  askingView,
  guestsView,
  ownReplyView,
  type ShownGuests,
} from "../events/guest-view.ts";
import { reminderForm } from "../events/reminder-view.ts";
import { dateBlock, eventTimeView } from "../events/event-time.ts";
import { repeatsView, type ShownOccurrence } from "../events/repeat-view.ts";
import {
  calendarChip,
  type EntryCalendar,
} from "../own-calendars/entry-calendars.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html, partAttribute } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import {
  detailTexts,
  eventFormTexts,
  eventTexts as texts,
} from "../languages/texts.ts";
import type { Acting } from "../posts/act-view.ts";

/** An event with what its page shows of it. */
export type ShownEvent = ShownGuests & {
  /** Of a series, the next one. */
  readonly event: CalendarEvent;
  readonly series: CalendarEvent;
  readonly coming: readonly ShownOccurrence[];
  readonly organizer: Person | undefined;
  /** The description, rendered. */
  readonly description: Html | undefined;
  readonly ownAnswer: Participation | undefined;
  /** May the visitor change it? */
  readonly mayChange: boolean;
  /** Those of the visitor; none for an event that is over. */
  readonly reminders: EventReminders | undefined;
  /** The calendar of the visitor in which it is. */
  readonly calendar?: EntryCalendar | undefined;
  readonly fault?: string | undefined;
};

/** @param acting the visitor, who may answer */
export function eventView(
  shown: ShownEvent,
  acting: Acting | undefined,
  now: Date,
): Html {
  const { event, organizer, ownAnswer, description, fault } = shown;
  const { guid, location, categories, capacity } = event;
  const answering = acting && { session: acting.session };
  return html`<article
    class="event-page h-event"
    ${acting && partAttribute(eventPath(guid))}
  >
    ${alertView(fault === undefined ? [] : [fault])}
    <header class="event-head">
      ${dateBlock(event, acting !== undefined)}
      <div>
        <h2 class="p-name" dir="auto">${event.summary || texts.untitled}</h2>
        <a class="u-url" href="${eventPath(guid)}" hidden></a>
        ${statusView(event, now)} ${eventTimeView(event, acting !== undefined)}
        <p class="quiet">
          ${
            organizer &&
            html`${texts.by}
              <a class="p-organizer h-card" href="${personPath(organizer)}"
                >${nameView(organizer)}</a
              >`
          }
          ${audienceChip(event)}
          ${shown.calendar && calendarChip(shown.calendar)}
        </p>
      </div>
    </header>
    ${
      location &&
      html`<p>
        <strong>${texts.where}:</strong>
        <span class="p-location" dir="auto">${location}</span>
      </p>`
    }
    ${description && html`<div class="text p-description" dir="auto">${description}</div>`}
    ${repeatsView(shown.series, shown.coming, {
      isOwn: acting?.session.user.personId === event.personId,
      isZoneKnown: acting !== undefined,
    })}
    ${capacity !== null && html`<p>${texts.capacity(capacity)}</p>`}
    ${
      categories.length > 0 &&
      html`<p class="quiet">${texts.categories}: ${categories.join(", ")}</p>`
    }
    ${acting && ownReplyView(event, ownAnswer, acting.session.user.personId)}
    ${answerView(event, ownAnswer?.status, answering, now)}
    ${acting && shown.reminders && reminderForm(acting.session, event, shown.reminders)}
    ${acting && askingView(acting.session, event, shown)} ${guestsView(shown)}
    <p><a href="${eventPath(guid)}.ics">${icon("event")} ${texts.file}</a></p>
    ${
      acting &&
      event.updatedAt !== event.createdAt &&
      html`<p>
        <a href="${eventPath(guid)}/history">${detailTexts.history.link}</a>
      </p>`
    }
    ${acting && shown.mayChange && changeLinks(event)}
  </article>`;
}

function changeLinks({ guid }: CalendarEvent): Html {
  const path = eventPath(guid);
  return html`<p class="actions">
    <a href="${path}/edit">${eventFormTexts.edit}</a>
    <a href="${path}/delete">${eventFormTexts.deleteLink}</a>
  </p>`;
}
