import {
  overInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
import type { PersonId } from "../../features/ids.ts";
import {
  PARTICIPATION_STATUSES,
  type Participation,
  type ParticipationStatus,
} from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import type { Acting } from "../posts/act-view.ts";
import { signInPath } from "../session/return-target.ts";
import { dateBlock, eventTimeView } from "./event-time.ts";

/** An event with what its page shows of it. */
export type ShownEvent = {
  readonly event: CalendarEvent;
  readonly organizer: Person | undefined;
  /** The description, rendered. */
  readonly description: Html | undefined;
  readonly counts: Readonly<Record<ParticipationStatus, number>>;
  readonly ownAnswer: ParticipationStatus | undefined;
  /** The newest answers; none for visitors without an account. */
  readonly answers: readonly Participation[];
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly fault?: string | undefined;
};

export function eventPath(guid: string): string {
  return `/events/${encodeURIComponent(guid)}`;
}

/** @param acting the visitor, who may answer */
export function eventView(
  shown: ShownEvent,
  acting: Acting | undefined,
  now: Date,
): Html {
  const { event, organizer, description, fault } = shown;
  const { guid, location, categories, capacity } = event;
  return html`<article class="event-page h-event">
    ${alertView(fault === undefined ? [] : [fault])}
    <header class="event-head">
      ${dateBlock(event)}
      <div>
        <h2 class="p-name" dir="auto">${event.summary || texts.untitled}</h2>
        ${statusView(event, now)} ${eventTimeView(event, acting !== undefined)}
        <p class="quiet">
          ${
            organizer &&
            html`${texts.by}
              <a href="${personPath(organizer)}">${nameView(organizer)}</a>`
          }
          ${audienceView(event)}
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
    ${description && html`<div class="text" dir="auto">${description}</div>`}
    ${capacity !== null && html`<p>${texts.capacity(capacity)}</p>`}
    ${
      categories.length > 0 &&
      html`<p class="quiet">${texts.categories}: ${categories.join(", ")}</p>`
    }
    ${answerView(shown, acting, now)} ${guestsView(shown)}
    <p><a href="${eventPath(guid)}.ics">${icon("event")} ${texts.file}</a></p>
  </article>`;
}

function statusView(event: CalendarEvent, now: Date): HtmlValue {
  if (event.status !== "confirmed")
    return html`<p class="notice">${texts.status[event.status]}</p>`;
  return isOver(event, now) && html`<p class="quiet">${texts.over}</p>`;
}

function isOver(event: CalendarEvent, now: Date): boolean {
  return overInstant(event) <= timestamp(now);
}

function audienceView({ audience }: CalendarEvent): Html {
  if (audience === "everyone")
    return html`<span class="chip everyone"
      >${icon("globe")} ${texts.everyone}</span
    >`;
  return audience === "limited"
    ? html`<span class="chip limited">${icon("lock")} ${texts.limited}</span>`
    : html`<span class="chip">${icon("lock")} ${texts.onlyMe}</span>`;
}

/** Buttons to answer; one's own answer is pressed. */
function answerView(
  { event, ownAnswer }: ShownEvent,
  acting: Acting | undefined,
  now: Date,
): HtmlValue {
  if (event.status === "cancelled" || isOver(event, now)) return undefined;
  const path = eventPath(event.guid);
  if (!acting)
    return html`<p>
      <a href="${signInPath(path)}" rel="nofollow">${texts.signIn}</a>
    </p>`;
  return html`<form
    method="post"
    action="${path}/answer"
    class="rsvp"
    aria-label="${texts.yourAnswer}"
  >
    ${csrfField(acting.session)}
    ${PARTICIPATION_STATUSES.toSorted(byWish).map(
      (status) =>
        html`<button
          name="status"
          value="${status}"
          class="second"
          aria-pressed="${status === ownAnswer ? "true" : "false"}"
        >
          ${texts.answers[status]}
        </button>`,
    )}
  </form>`;
}

const ORDER = ["accepted", "tentative", "declined"];

function byWish(one: ParticipationStatus, other: ParticipationStatus): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

function guestsView({ counts, answers, people }: ShownEvent): Html {
  const { accepted, tentative, declined } = counts;
  const all = accepted + tentative + declined;
  return html`<section>
    <h2>${texts.guests}</h2>
    <p>
      ${
        all === 0
          ? texts.noGuests
          : [
              texts.going(accepted),
              texts.maybe(tentative),
              texts.cannot(declined),
            ].join(" · ")
      }
    </p>
    ${
      answers.length > 0 &&
      html`<ul class="people">
        ${answers.map(({ personId, status }) => guestView(people.get(personId), status))}
      </ul>`
    }
    ${
      answers.length > 0 &&
      all > answers.length &&
      html`<p class="quiet">${texts.moreGuests}</p>`
    }
  </section>`;
}

function guestView(
  person: Person | undefined,
  status: ParticipationStatus,
): HtmlValue {
  return (
    person &&
    html`<li>
      <p>
        <a href="${personPath(person)}">${nameView(person)}</a>
        <span class="quiet">${texts.answers[status]}</span>
      </p>
    </li>`
  );
}
