import type { Session } from "../../features/accounts/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { ParticipationId, PersonId } from "../../features/ids.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import { countsInWords, eventPath, type AnswerCounts } from "./event-parts.ts";

/** Others are shown as these are answered. */
export const MAX_ASKING = 100;

/** The guests of an event as a visitor sees them. */
export type ShownGuests = {
  readonly counts: AnswerCounts;
  /** The newest answers; none for visitors without an account. */
  readonly answers: readonly Participation[];
  /** Those who ask to come; none but for the organizer. */
  readonly asking: readonly Participation[];
  readonly people: ReadonlyMap<PersonId, Person>;
};

export function guestsView({ counts, answers, people }: ShownGuests): Html {
  const { accepted, tentative, declined } = counts;
  const all = accepted + tentative + declined;
  const decided = answers.filter(({ reply }) => reply !== "pending");
  return html`<section>
    <h2>${texts.guests}</h2>
    <p>${countsInWords(counts) ?? texts.noGuests}</p>
    ${
      decided.length > 0 &&
      html`<ul class="people">
        ${decided.map(({ personId, status }) =>
          guestView(people.get(personId), texts.answers[status]),
        )}
      </ul>`
    }
    ${
      decided.length > 0 &&
      all > decided.length &&
      html`<p class="quiet">${texts.moreGuests}</p>`
    }
  </section>`;
}

function guestView(
  person: Person | undefined,
  said: string,
  form?: Html,
): HtmlValue {
  return (
    person &&
    html`<li>
      <p>
        <a href="${personPath(person)}">${nameView(person)}</a>
        <span class="quiet">${said}</span>
      </p>
      ${form}
    </li>`
  );
}

/** Those who ask to come, with the organizer's buttons. */
export function askingView(
  session: Session,
  event: CalendarEvent,
  { asking, people }: ShownGuests,
): HtmlValue {
  if (asking.length === 0) return undefined;
  return html`<section id="asking">
    <h2>${texts.approval.asking}</h2>
    <ul class="people">
      ${asking.map(({ id, personId }) => {
        const person = people.get(personId);
        const form = person && replyForm(session, event, id, person);
        return guestView(person, texts.approval.asks, form);
      })}
    </ul>
    ${asking.length >= MAX_ASKING && html`<p class="quiet">${texts.approval.more}</p>`}
  </section>`;
}

function replyForm(
  session: Session,
  { guid }: CalendarEvent,
  id: ParticipationId,
  person: Person,
): Html {
  return html`<form
    method="post"
    action="${eventPath(guid)}/guests/${id}"
    class="rsvp"
    aria-label="${texts.approval.replyTo(person.handle)}"
  >
    ${csrfField(session)}
    <button name="reply" value="confirmed">${texts.approval.confirm}</button>
    <button name="reply" value="refused" class="second">
      ${texts.approval.refuse}
    </button>
  </form>`;
}

/** The organizer's reply to the visitor's own answer. */
export function ownReplyView(
  { needsApproval, personId }: CalendarEvent,
  own: Participation | undefined,
  visitor: PersonId,
): HtmlValue {
  const reply = own?.reply;
  if (reply === "pending" || reply === "refused" || reply === "confirmed")
    return html`<p class="notice">${texts.approval.replies[reply]}</p>`;
  if (!needsApproval) return undefined;
  return html`<p class="quiet">
    ${personId === visitor ? texts.approval.youConfirm : texts.approval.mustConfirm}
  </p>`;
}
