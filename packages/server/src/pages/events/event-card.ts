import type { CalendarEvent } from "../../features/events/index.ts";
import type { EventId } from "../../features/ids.ts";
import type { ParticipationStatus } from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { html, type Html, type HtmlValue, partAttribute } from "../kit/html.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  answerView,
  audienceChip,
  countsInWords,
  eventPath,
  NO_ANSWERS,
  statusView,
  type AnswerCounts,
  type Answering,
} from "./event-parts.ts";
import { dateBlock, hoursView, shortTimeView } from "./event-time.ts";

/** The answers to events, read once for all of them. */
export type Answers = {
  readonly counts: ReadonlyMap<EventId, AnswerCounts>;
  readonly own: ReadonlyMap<EventId, ParticipationStatus>;
};

export async function loadAnswers(
  { participations }: Pick<PagesContext, "participations">,
  ids: readonly EventId[],
  viewer: Viewer,
): Promise<Answers> {
  const [counts, own] = await Promise.all([
    participations.countAnswersOf(ids),
    viewer
      ? participations.listAnswersBy(viewer.personId, ids)
      : new Map<EventId, ParticipationStatus>(),
  ]);
  return { counts, own };
}

type Shown = {
  readonly answers: Answers;
  readonly answering: Answering | undefined;
  readonly now: Date;
};

/** An event within the post that announces it, which says by whom and for whom. */
export function eventCardView(event: CalendarEvent, shown: Shown): Html {
  const isZoneKnown = shown.answering !== undefined;
  return html`<section class="event-card h-event">
    ${dateBlock(event, isZoneKnown)}
    <div>
      ${titleView(event)} ${statusView(event, shown.now)}
      ${shortTimeView(event, isZoneKnown)} ${placeView(event)}
      ${answersView(event, shown)}
    </div>
  </section>`;
}

/** An event beneath the name of its day. */
export function agendaItemView(
  event: CalendarEvent,
  organizer: Person | undefined,
  shown: Shown,
): Html {
  return html`<li
    class="agenda-item h-event"
    id="event-${event.guid}"
    ${shown.answering && partAttribute(`/parts/events/${event.guid}`)}
  >
    ${titleView(event)} ${statusView(event, shown.now)} ${hoursView(event)}
    ${placeView(event)}
    <p class="quiet">
      ${
        organizer &&
        html`${texts.by}
          <a href="${personPath(organizer)}">${nameView(organizer)}</a>`
      }
      ${audienceChip(event)}
    </p>
    ${answersView(event, shown)}
  </li>`;
}

function titleView({ guid, summary }: CalendarEvent): Html {
  return html`<p class="event-name">
    <a class="p-name u-url" href="${eventPath(guid)}" dir="auto"
      >${summary || texts.untitled}</a
    >
  </p>`;
}

function placeView({ location }: CalendarEvent): HtmlValue {
  return (
    location !== "" && html`<p class="p-location" dir="auto">${location}</p>`
  );
}

function answersView(
  event: CalendarEvent,
  { answers, answering, now }: Shown,
): HtmlValue {
  const words = countsInWords(answers.counts.get(event.id) ?? NO_ANSWERS);
  return [
    words !== undefined && html`<p class="quiet">${words}</p>`,
    answerView(event, answers.own.get(event.id), answering, now),
  ];
}
