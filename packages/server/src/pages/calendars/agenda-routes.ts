import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  startInstant,
  rulesBudget,
  upcomingOf,
  type CalendarEvent,
} from "../../features/events/index.ts";
import { flag, readInput } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { loadAnswers } from "../events/event-card.ts";
import { readKeyedPart, type Part } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { currentTimeZone } from "../languages/reader.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import { actingOn } from "../posts/act-view.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import {
  agendaPath,
  agendaView,
  AGENDA,
  type AgendaKind,
} from "./agenda-view.ts";

const PAGE_SIZE = 20;

const KIND = Type.Object({
  past: flag("Shows what is over, instead of what is coming"),
  known: flag("Shows all events that one may see, not one's own alone"),
});

/** The coming events of the reader, and the past ones. */
export function agendaRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    AGENDA,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const { past = false, known = false } = readInput(
        KIND,
        request.parameters,
      );
      const kind = { past, known };
      const part = await findPart(context, request, session, kind);
      return part
        ? sendAgenda(context, request, reply, { session, kind, part })
        : redirectTo(reply, agendaPath(kind));
    },
  );
}

/** @returns undefined if the event from which the page is counted is gone */
async function findPart(
  { clock, events }: PagesContext,
  request: FastifyRequest,
  { user }: Session,
  kind: AgendaKind,
): Promise<Part<CalendarEvent> | undefined> {
  const { past, known } = kind;
  const instant = timestamp(clock.now());
  const now = { instant, date: dateIn(currentTimeZone(), instant) };
  const order = past ? "newest first" : "oldest first";
  const filter = {
    scope: known ? "known" : "own",
    order,
    ...(past ? { overBy: now } : { from: now }),
  } as const;
  const list = { path: agendaPath(kind), size: PAGE_SIZE, order } as const;
  let isKeyed = false;
  try {
    return await readKeyedPart(request, list, (page) => {
      isKeyed = page.before !== undefined || page.after !== undefined;
      return events.listAgenda(user, filter, page);
    });
  } catch (error) {
    const isGone = error instanceof KithError && error.code === "bad_request";
    if (isKeyed && isGone) return undefined;
    throw error;
  }
}

/** An event that repeats is shown on its next day. */
function withNext(part: Part<CalendarEvent>, now: Date): Part<CalendarEvent> {
  const budget = rulesBudget();
  const items = part.items.map((event) =>
    upcomingOf(event, timestamp(now), budget),
  );
  const isSorted = part.items.every(({ recurrence }) => recurrence === null);
  return isSorted
    ? part
    : {
        ...part,
        items: items.toSorted((one, other) =>
          startInstant(one) < startInstant(other) ? -1 : 1,
        ),
      };
}

async function sendAgenda(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: {
    readonly session: Session;
    readonly kind: AgendaKind;
    readonly part: Part<CalendarEvent>;
  },
): Promise<FastifyReply> {
  const { session, kind } = shown;
  const { people, clock } = context;
  const part = kind.past ? shown.part : withNext(shown.part, clock.now());
  const ids = part.items.map(({ id }) => id);
  const [persons, answers] = await Promise.all([
    people.listById(part.items.map(({ personId }) => personId)),
    loadAnswers(context, ids, session.user),
  ]);
  const answering = actingOn(session, request, AGENDA);
  const around = { people: persons, answers, answering, now: clock.now() };
  return sendPage(reply, {
    head: { title: kind.past ? texts.pastTitle : texts.agenda, noindex: true },
    session,
    main: agendaView(kind, part, around),
  });
}
