import type { Session } from "../../features/accounts/index.ts";
import type { AspectSummary } from "../../features/aspects/index.ts";
import {
  upcomingOf,
  rulesBudget,
  type CalendarEvent,
} from "../../features/events/index.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { eventPath } from "../events/event-parts.ts";
import { shortTimeView } from "../events/event-time.ts";
import { ASPECTS } from "../session/places.ts";
import { html, type Html } from "../kit/html.ts";
import { currentTimeZone } from "../languages/reader.ts";
import {
  eventTexts,
  homeTexts as texts,
  pageTexts,
} from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { homePath } from "./home-choice.ts";

const NEXT = { offset: 0, limit: 3 } as const;

/** The reader's aspects and next events, beside the home on wide screens. */
export async function loadSide(
  { clock, events }: PagesContext,
  { user }: Session,
  aspects: readonly AspectSummary[],
): Promise<Html> {
  const now = timestamp(clock.now());
  const from = { instant: now, date: dateIn(currentTimeZone(), now) };
  const coming = await events.listAgenda(
    user,
    { scope: "own", order: "oldest first", from },
    NEXT,
  );
  const budget = rulesBudget();
  const next = coming.map((event) => upcomingOf(event, now, budget));
  return html`${aspectsView(aspects)} ${eventsView(next)}`;
}

function aspectsView(aspects: readonly AspectSummary[]): Html {
  return html`<section aria-labelledby="side-aspects">
    <h2 id="side-aspects">${texts.side.aspects}</h2>
    <ul>
      ${aspects.map(({ id, name, memberCount }) => {
        const tab = { kind: "aspect", aspectId: id } as const;
        return html`<li>
          <a href="${homePath({ tab, reshares: true })}"><bdi>${name}</bdi></a>
          <span class="quiet">${pageTexts.write.members(memberCount)}</span>
        </li>`;
      })}
    </ul>
    <p><a href="${ASPECTS}">${texts.side.arrange}</a></p>
  </section>`;
}

function eventsView(events: readonly CalendarEvent[]): Html {
  return html`<section aria-labelledby="side-events">
    <h2 id="side-events">${texts.side.events}</h2>
    ${
      events.length === 0
        ? html`<p class="quiet">${texts.side.noEvents}</p>
            <p><a href="/events/new">${texts.side.plan}</a></p>`
        : html`<ul>
            ${events.map(
              (event) =>
                html`<li>
                  <a href="${eventPath(event.guid)}" dir="auto"
                    >${event.summary || eventTexts.untitled}</a
                  >
                  ${shortTimeView(event, true)}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
