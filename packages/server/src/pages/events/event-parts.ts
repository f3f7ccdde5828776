import type { Session } from "../../features/accounts/index.ts";
import {
  overInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
import {
  PARTICIPATION_STATUSES,
  type ParticipationStatus,
} from "../../features/participations/index.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { csrfField } from "../kit/csrf.ts";
import { hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";

/** The visitor, and the page to which an answer leads back. */
export type Answering = {
  readonly session: Session;
  /** Absent for the page of the event. */
  readonly to?: string | undefined;
};

export type AnswerCounts = Readonly<Record<ParticipationStatus, number>>;

export const NO_ANSWERS: AnswerCounts = {
  ...{ accepted: 0, declined: 0, tentative: 0 },
};

export function eventPath(guid: string): string {
  return `/events/${encodeURIComponent(guid)}`;
}

export function statusView(event: CalendarEvent, now: Date): HtmlValue {
  if (event.status !== "confirmed")
    return html`<p class="notice">${texts.status[event.status]}</p>`;
  return isOver(event, now) && html`<p class="quiet">${texts.over}</p>`;
}

function isOver(event: CalendarEvent, now: Date): boolean {
  return overInstant(event) <= timestamp(now);
}

/** The audience of the event. */
export function audienceChip({
  audience,
}: Pick<CalendarEvent, "audience">): Html {
  if (audience === "everyone")
    return html`<span class="chip everyone"
      >${icon("globe")} ${texts.everyone}</span
    >`;
  return audience === "limited"
    ? html`<span class="chip limited">${icon("lock")} ${texts.limited}</span>`
    : html`<span class="chip">${icon("lock")} ${texts.onlyMe}</span>`;
}

/** Buttons to answer; one's own answer is pressed. */
export function answerView(
  event: CalendarEvent,
  ownAnswer: ParticipationStatus | undefined,
  answering: Answering | undefined,
  now: Date,
): HtmlValue {
  if (event.status === "cancelled" || isOver(event, now)) return undefined;
  const path = eventPath(event.guid);
  if (!answering)
    return html`<p>
      <a href="${signInPath(path)}" rel="nofollow">${texts.signIn}</a>
    </p>`;
  const { session, to } = answering;
  const name = event.summary || texts.untitled;
  return html`<form
    method="post"
    action="${path}/answer"
    class="rsvp"
    aria-label="${texts.yourAnswerTo(name)}"
  >
    ${csrfField(session)} ${to !== undefined && hiddenField("to", to)}
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

/** @returns undefined while nobody has answered */
export function countsInWords(counts: AnswerCounts): string | undefined {
  const { accepted, tentative, declined } = counts;
  if (accepted + tentative + declined === 0) return undefined;
  return [
    texts.going(accepted),
    texts.maybe(tentative),
    texts.cannot(declined),
  ].join(" · ");
}
