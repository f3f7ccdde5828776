import type { CalendarEvent } from "../../features/events/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { addDays, dateIn } from "../../lib/time/datetime.ts";
import { agendaItemView, type Answers } from "../events/event-card.ts";
import type { Answering } from "../events/event-parts.ts";
import { dateBlock, dayInWords, daysOf } from "../events/event-time.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { currentTimeZone } from "../languages/reader.ts";
import { eventFormTexts, eventTexts as texts } from "../languages/texts.ts";

export const AGENDA = "/events";

export type AgendaKind = {
  /** Past events instead of coming ones. */
  readonly past: boolean;
  /** All that one may see, not one's own alone. */
  readonly known: boolean;
};

type Surroundings = {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly answers: Answers;
  readonly answering: Answering | undefined;
  readonly now: Date;
};

export function agendaPath({ past, known }: AgendaKind): string {
  const query = [past && "past=true", known && "known=true"].filter(Boolean);
  return query.length === 0 ? AGENDA : `${AGENDA}?${query.join("&")}`;
}

export function agendaView(
  kind: AgendaKind,
  part: Part<CalendarEvent>,
  around: Surroundings,
): Html {
  return html`<h1>${kind.past ? texts.pastTitle : texts.agenda}</h1>
    <p class="actions">
      <a class="button" href="/events/new">${eventFormTexts.plan}</a>
      <a href="/calendar">${texts.month.fromAgenda}</a>
    </p>
    ${tabsView(kind)}
    ${part.items.length === 0 ? emptyView(kind) : daysView(kind, part, around)}
    ${paginationView(part, { previous: texts.previous, next: texts.next })}
    <p>
      <a href="${agendaPath({ ...kind, past: !kind.past })}"
        >${kind.past ? texts.toComing : texts.toPast}</a
      >
    </p>`;
}

function tabsView(kind: AgendaKind): Html {
  return tabLinks(
    texts.scopes,
    [false, true].map((known) => ({
      path: agendaPath({ ...kind, known }),
      label: known ? texts.known : texts.own,
      isChosen: known === kind.known,
    })),
  );
}

function emptyView({ past, known }: AgendaKind): Html {
  if (past) return html`<p>${texts.nonePast}</p>`;
  return known
    ? html`<p>${texts.noneKnown}</p>`
    : html`<p>${texts.none}</p>
        <p>
          <a href="${agendaPath({ past, known: true })}">${texts.seeKnown}</a>
        </p>`;
}

/** An event that began on an earlier day and goes on stands beneath today. */
function daysView(
  { past }: AgendaKind,
  { items }: Part<CalendarEvent>,
  around: Surroundings,
): Html[] {
  const zone = currentTimeZone();
  const today = dateIn(zone, timestamp(around.now));
  const days = Map.groupBy(items, (event) => {
    const [first] = daysOf(event, zone);
    return past || first > today ? first : today;
  });
  return [...days].map(([day, events]) => dayView(day, today, events, around));
}

function dayView(
  day: string,
  today: string,
  events: readonly CalendarEvent[],
  { people, ...shown }: Surroundings,
): Html {
  const block = { allDay: true, start: day, end: null, timeZone: "UTC" };
  return html`<section class="agenda-day" aria-labelledby="day-${day}">
    ${dateBlock(block, true)}
    <div>
      <h2 id="day-${day}">${nameOf(day, today)}</h2>
      <ul class="plain">
        ${events.map((event) => agendaItemView(event, people.get(event.personId), withAnchor(shown, event)))}
      </ul>
    </div>
  </section>`;
}

/** An answer leads back to the event in the list. */
function withAnchor<Shown extends Omit<Surroundings, "people">>(
  shown: Shown,
  { guid }: CalendarEvent,
): Shown {
  const { answering } = shown;
  const page = answering?.to?.split("#", 1)[0] ?? "";
  const to = `${page}#event-${encodeURIComponent(guid)}`;
  return { ...shown, answering: answering && { ...answering, to } };
}

function nameOf(day: string, today: string): string {
  const words = dayInWords(day);
  if (day === today) return `${texts.today}, ${words}`;
  return day === addDays(today, 1) ? `${texts.tomorrow}, ${words}` : words;
}
