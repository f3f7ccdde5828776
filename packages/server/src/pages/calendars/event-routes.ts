import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  overInstant,
  upcomingOf,
  type CalendarEvent,
} from "../../features/events/index.ts";
import {
  PARTICIPATION_STATUSES,
  type ParticipationStatus,
} from "../../features/participations/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { eventPath } from "../events/event-parts.ts";
import { MAX_ASKING } from "../events/guest-view.ts";
import { listComing } from "../events/repeat-view.ts";
import { isOfSession, checkCsrf } from "../kit/csrf.ts";
import type { Html } from "../kit/html.ts";
import { loadEntryCalendars } from "../own-calendars/entry-calendars.ts";
import { sendPage } from "../kit/send-page.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import { actingOn, writeCommentView } from "../posts/act-view.ts";
import { loadThread } from "../posts/load-thread.ts";
import { postPageView } from "../posts/post-routes.ts";
import { findMentioned, renderPostText } from "../posts/post-text.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { readReturnTarget } from "../session/return-target.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { eventHead } from "./event-head.ts";
import { eventView, type ShownEvent } from "./event-view.ts";

const ANSWER = Type.Object({
  status: Type.Optional(
    Type.String({
      enum: [...PARTICIPATION_STATUSES],
      description: "Does the visitor come?",
    }),
  ),
  to: text("The page to which the answer leads back; else that of the event"),
});
/** As many as the API lists. */
const MAX_GUESTS = 100;
const ASKING = { page: { offset: 0, limit: MAX_ASKING }, isPending: true };

type OfGuid = { Params: { guid: string } };

/** The page of an event, and the form that answers it. */
export function eventRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<OfGuid>(
    "/events/:guid",
    { config: { access: "viewer", limit: "read", mayBeOld: true } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      return sendEventPage(context, request, reply, session);
    },
  );
  app.post<OfGuid>(
    "/events/:guid/answer",
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const { guid } = request.params;
      if (!isGuid(guid)) throw notFound();
      const to = eventPath(guid);
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to });
      if (wantsJson(request.headers.accept))
        checkCsrf(session, request.parameters);
      const again = (status: number, fault: string) =>
        sendEventPage(context, request, reply, session, { status, fault });
      if (!isOfSession(session, request.parameters))
        return again(403, texts.expired);
      const { status, to: back } = readInput(ANSWER, request.parameters);
      if (status === undefined)
        throw new KithError("bad_request", "The status must be given.");
      const isSaved = await answer(context, session, guid, status);
      const next = back === undefined ? to : readReturnTarget(back);
      return isSaved ? redirectTo(reply, next) : again(422, texts.full);
    },
  );
}

/** @returns false if no place is left */
async function answer(
  { participations }: PagesContext,
  { user }: Session,
  guid: string,
  status: string,
): Promise<boolean> {
  try {
    await participations.answer(user, { guid }, status as ParticipationStatus);
    return true;
  } catch (error) {
    if (error instanceof KithError && error.code === "bad_request")
      return false;
    throw error;
  }
}

async function sendEventPage(
  context: PagesContext,
  request: FastifyRequest<OfGuid>,
  reply: FastifyReply,
  session: Session | undefined,
  { status = 200, fault }: { status?: number; fault?: string } = {},
): Promise<FastifyReply> {
  const { guid } = request.params;
  const viewer = session?.user ?? null;
  const event = isGuid(guid)
    ? await context.events.findVisible({ guid }, viewer)
    : undefined;
  if (!event) throw notFound();
  const mayChange =
    session !== undefined &&
    (await context.events.mayChange(session.user, event));
  const loaded = await loadEvent(context, event, viewer);
  const isOver = overInstant(loaded.event) <= timestamp(context.clock.now());
  const reminders =
    session && !isOver
      ? await context.reminders.get(session.user, event)
      : undefined;
  const calendars =
    session && (await loadEntryCalendars(context, session.user, [event]));
  const calendar = calendars?.get(event.calendarId);
  const shown = { ...loaded, mayChange, reminders, calendar, fault };
  const to = eventPath(guid);
  const acting = actingOn(session, request, to);
  const view = eventView(shown, acting, context.clock.now());
  const post = await findAnnouncement(context, event, viewer);
  return sendPage(reply, {
    status,
    head: eventHead(context, shown),
    session,
    main: post
      ? await withComments(context, request, session, { view, post, to })
      : view,
  });
}

/** The first post with which its owner announces it, as far as it is visible. */
async function findAnnouncement(
  { posts }: PagesContext,
  { id, personId }: CalendarEvent,
  viewer: Viewer,
): Promise<Post | undefined> {
  const [first] = await posts.listWithEvent(id, personId);
  return first && (await posts.findVisible({ id: first.id }, viewer));
}

/** The comments of an event are those of its post. */
async function withComments(
  context: PagesContext,
  request: FastifyRequest,
  session: Session | undefined,
  { view, post, to }: { view: Html; post: Post; to: string },
): Promise<Html> {
  const viewer = session?.user ?? null;
  const thread = await loadThread(context, request, post, viewer);
  const acting = actingOn(session, request, to);
  const form = writeCommentView(session, post, { text: "", to }, undefined);
  const shown = { title: texts.title, post: view, form };
  return postPageView(context, shown, thread, { session, post, acting });
}

/** Names of guests are for people with an account, as in the event's file. */
async function loadEvent(
  context: PagesContext,
  event: CalendarEvent,
  viewer: Viewer,
): Promise<Omit<ShownEvent, "fault" | "mayChange" | "reminders">> {
  const { participations, people } = context;
  const { id: eventId, description } = event;
  const [counts, answers, asking, own, mentioned] = await Promise.all([
    participations.countAnswers(eventId),
    viewer
      ? participations.listNewest([eventId], MAX_GUESTS, viewer.personId)
      : [],
    viewer?.personId === event.personId
      ? participations.list(eventId, viewer.personId, ASKING)
      : [],
    viewer && participations.find({ eventId, personId: viewer.personId }),
    findMentioned(context, [description]),
  ]);
  const concerned = [event, ...answers, ...asking].map(
    ({ personId }) => personId,
  );
  const persons = await people.listById(concerned);
  const now = context.clock.now();
  return {
    event: upcomingOf(event, timestamp(now)),
    series: event,
    coming: event.recurrence ? listComing(context.events, event, now) : [],
    ...{ counts, answers, asking, people: persons },
    organizer: persons.get(event.personId),
    ownAnswer: own ?? undefined,
    description:
      description === ""
        ? undefined
        : renderPostText(context, description, mentioned),
  };
}

function notFound(): KithError {
  return new KithError("not_found", "No such event.");
}
