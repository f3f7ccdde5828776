import type { FastifyInstance } from "fastify";
import type { SubscriptionId } from "../../features/ids.ts";
import type {
  SubscribedObject,
  Subscription,
} from "../../features/subscribed-calendars/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { addDays, midnightIn } from "../../lib/time/datetime.ts";
import { dateBlock, daysOf, eventTimeView } from "../events/event-time.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { calendarTexts, eventTexts, repeatTexts } from "../languages/texts.ts";
import { ruleInWords } from "../../lib/messages/rule-in-words.ts";
import { renderPostText } from "../posts/post-text.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { CALENDARS } from "./paths.ts";
import { readCalendarId } from "./perform-act.ts";
import { SUBSCRIBED_EVENT, type SubscribedEntry } from "./subscribed-event.ts";

const DAY = Type.Object({
  day: text("The day on which it takes place, YYYY-MM-DD"),
});

type Key = { Params: { id: string; name: string } };

/** The page of an event of a calendar of another server. */
export function subscribedEventRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { subscribedCalendars } = context;
  app.get<Key>(
    `${SUBSCRIBED_EVENT}/:id/:name`,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const id = readCalendarId<SubscriptionId>(request.params.id);
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const calendar = await subscribedCalendars.get(session.user.userId, id);
      const names = [request.params.name];
      const [object] = await subscribedCalendars.objects.listByName(id, names);
      if (!object) throw new KithError("not_found", "No such event.");
      const { day = "" } = readInput(DAY, request.parameters);
      const event = occurrenceOn(context, object, day);
      const { description } = event;
      return sendPage(reply, {
        head: { title: event.summary || eventTexts.untitled, noindex: true },
        session,
        main: subscribedEventView(calendar, object, {
          event,
          description:
            description === ""
              ? undefined
              : renderPostText(context, description, new Map()),
        }),
      });
    },
  );
}

/** Of one that repeats, its event on a day; else the first one. */
function occurrenceOn(
  { subscribedCalendars }: Pick<PagesContext, "subscribedCalendars">,
  object: SubscribedObject,
  day: string,
): SubscribedEntry["event"] {
  const { details } = object;
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!details.recurrence || !isDay) return details;
  const zone = currentTimeZone();
  const range = {
    from: midnightIn(zone, addDays(day, -1)),
    to: midnightIn(zone, addDays(day, 2)),
  };
  const found = subscribedCalendars
    .occurrencesOf(object, range)
    .find((it) => daysOf(it.details, zone)[0] === day);
  return found?.details ?? details;
}

function subscribedEventView(
  calendar: Subscription,
  { details: { recurrence } }: SubscribedObject,
  {
    event,
    description,
  }: {
    readonly event: SubscribedEntry["event"];
    readonly description: Html | undefined;
  },
): Html {
  const { location, status, summary } = event;
  return html`<article class="event-page">
    <header class="event-head">
      ${dateBlock(event, true)}
      <div>
        <h1 dir="auto">${summary || eventTexts.untitled}</h1>
        ${status !== "confirmed" && html`<p>${eventTexts.status[status]}</p>`}
        ${eventTimeView(event, true)}
        <p class="quiet">
          ${calendarTexts.subscribed.from}
          <a href="${CALENDARS}"><bdi>${calendar.name}</bdi></a>
        </p>
      </div>
    </header>
    ${
      location !== "" &&
      html`<p>
        <strong>${eventTexts.where}:</strong>
        <span dir="auto">${location}</span>
      </p>`
    }
    ${description && html`<div class="text" dir="auto">${description}</div>`}
    ${
      recurrence &&
      html`<p>
        ${repeatTexts.repeats(ruleInWords(currentLanguage(), recurrence.rule, event))}
      </p>`
    }
  </article>`;
}
