import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  rulesBudget,
  startInstant,
  type CalendarEvent,
} from "../../features/events/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { addDays, dateIn, midnightIn } from "../../lib/time/datetime.ts";
import { loadAnswers } from "../events/event-card.ts";
import { eventPath } from "../events/event-parts.ts";
import { occurrenceOf } from "../events/repeat-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { loadEntryCalendars } from "../own-calendars/entry-calendars.ts";
import { listSubscribedEntries } from "../own-calendars/subscribed-event.ts";
import { loadBirthdays } from "./birthdays.ts";
import { readMonth, weeksOf } from "./month.ts";
import {
  CALENDAR,
  monthInWords,
  monthView,
  type MonthEntry,
} from "./month-view.ts";

/** So many events are shown in one month. */
const MAX_EVENTS = 300;

const MONTH = Type.Object({ month: text("Which month, YYYY-MM") });

/** The events of a month: the reader's own, and those that concern the reader. */
export function monthRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    CALENDAR,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendMonth(context, request, reply, session);
    },
  );
}

async function sendMonth(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { clock, events } = context;
  const zone = currentTimeZone();
  const today = dateIn(zone, timestamp(clock.now()));
  const given = readInput(MONTH, request.parameters).month;
  const month = readMonth(given) ?? today.slice(0, "YYYY-MM".length);
  const weeks = weeksOf(month, currentLanguage());
  const days = weeks.flat();
  const at = (date: string) => ({ date, instant: midnightIn(zone, date) });
  const [first = today, last = today] = [days[0], days.at(-1)];
  const found = await events.listAgenda(
    session.user,
    {
      ...{ scope: "own", order: "oldest first" },
      ...{ from: at(first), to: at(addDays(last, 1)) },
    },
    { offset: 0, limit: MAX_EVENTS + 1 },
  );
  const shown = found.slice(0, MAX_EVENTS);
  const range = { from: first, to: addDays(last, 1) };
  const planned = inMonth(context, shown, range);
  const ids = shown.map(({ id }) => id);
  const { own } = await loadAnswers(context, ids, session.user);
  const birthdays = await loadBirthdays(context, session.user, days);
  const elsewhere = await listSubscribedEntries(context, session.user, {
    from: midnightIn(zone, addDays(first, -1)),
    to: midnightIn(zone, addDays(last, 2)),
  });
  const { personId } = session.user;
  const calendars = await loadEntryCalendars(context, session.user, shown);
  const entries = [
    ...planned.map((event) => ({
      ...{ event, href: eventPath(event.guid), answer: own.get(event.id) },
      calendar: calendars.get(event.calendarId),
      isOwn: event.personId === personId,
    })),
    ...elsewhere.map((entry) => ({ ...entry, isOwn: false })),
  ];
  return sendPage(reply, {
    head: { title: monthInWords(month), noindex: true, isWide: true },
    session,
    main: monthView({
      ...{ month, weeks, today, birthdays },
      entries: entries.sort(byStart),
      isCut: found.length > MAX_EVENTS || elsewhere.length >= MAX_EVENTS,
    }),
  });
}

/** Series have one entry for each of their events. */
function inMonth(
  { events }: PagesContext,
  found: readonly CalendarEvent[],
  { from, to }: { readonly from: string; readonly to: string },
): CalendarEvent[] {
  const zone = currentTimeZone();
  const budget = rulesBudget();
  const range = { from: midnightIn(zone, from), to: midnightIn(zone, to) };
  return found.flatMap((event) =>
    event.recurrence
      ? events
          .listOccurrences(event, range, budget)
          .map((it) => occurrenceOf(event, it).event)
      : [event],
  );
}

function byStart({ event: one }: MonthEntry, { event: other }: MonthEntry) {
  return startInstant(one) < startInstant(other) ? -1 : 1;
}
