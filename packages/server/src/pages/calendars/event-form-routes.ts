import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session, SignedIn } from "../../features/accounts/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { dateIn, parseDatetime } from "../../lib/time/datetime.ts";
import { eventPath } from "../events/event-parts.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { eventFormTexts as texts, pageTexts } from "../languages/texts.ts";
import {
  DRAFT_BODY_LIMIT,
  draftOf,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";
import { writeOnce } from "../session/write-once.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { AGENDA } from "./agenda-view.ts";
import {
  draftOfEvent,
  draftOfOccurrence,
  emptyEventDraft,
  EVENT_AUDIENCES,
  EVENT_FIELDS,
  readEventDraft,
  type EventDraft,
} from "./event-draft.ts";
import {
  deleteEventView,
  eventFormView,
  NEW_EVENT,
  type Choices,
} from "./event-form-view.ts";
import { changeFromDraft, createFromDraft } from "./save-event.ts";

/** As many calendars as a form offers. */
const MAX_CALENDARS = 100;

const ONE = Type.Object({
  occurrence: text("When the one of a series begins that is changed"),
});

type OfGuid = { Params: { guid: string } };

/** Forms that make, change and delete one's own events. */
export function eventFormRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const reading = { access: "session", limit: "read" } as const;
  const writing = { access: "session", limit: "write" } as const;
  app.get(NEW_EVENT, { config: reading }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const { startDay } = readEventDraft(request.parameters);
    const draft = await newDraft(context, session, startDay);
    return sendForm(context, reply, session, { draft });
  });
  app.post(
    NEW_EVENT,
    // It may ask other servers for guests.
    {
      config: { access: "session", limit: "costly" },
      bodyLimit: DRAFT_BODY_LIMIT,
    },
    (request, reply) => receiveForm(context, request, reply, undefined),
  );
  for (const act of ["edit", "delete"] as const)
    app.get<OfGuid>(
      `/events/:guid/${act}`,
      { config: reading },
      async (request, reply) => {
        const { guid } = request.params;
        if (!isGuid(guid)) throw notFound();
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: request.url });
        const event = await getOwn(context, session.user, guid);
        return act === "edit"
          ? sendForm(context, reply, session, {
              ...{ draft: draftToEdit(event, request.parameters), event },
            })
          : sendPage(reply, {
              head: { title: texts.deleteTitle, noindex: true },
              session,
              main: deleteEventView(session, event),
            });
      },
    );
  app.post<OfGuid>(
    "/events/:guid/edit",
    { config: writing, bodyLimit: DRAFT_BODY_LIMIT },
    (request, reply) =>
      receiveForm(context, request, reply, request.params.guid),
  );
  app.post<OfGuid>(
    "/events/:guid/delete",
    { config: writing },
    async (request, reply) => {
      const { guid } = request.params;
      if (!isGuid(guid)) throw notFound();
      const session = await findVisitor(context, request);
      const to = `${eventPath(guid)}/delete`;
      if (!session) return askToSignIn(context, request, reply, { to });
      checkCsrf(session, request.parameters);
      await getOwn(context, session.user, guid);
      await context.events.remove(session.user, { guid });
      return redirectTo(reply, AGENDA);
    },
  );
}

/** Is it the path of a form of an event? */
export function isEventFormPath(path: string): boolean {
  return path === NEW_EVENT || /^\/events\/[^/]+\/edit$/.test(path);
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export async function resumeEvent(
  context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const { guid } = kept;
  const event =
    guid === undefined
      ? undefined
      : await getOwn(context, session.user, isGuid(guid) ? guid : "");
  const message = pageTexts.form.signedOut;
  const draft = { ...readEventDraft(kept), message };
  return sendForm(context, reply, session, { draft, event });
}

/** @param guid of the event that is changed; absent for a new one */
async function receiveForm(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  guid: string | undefined,
): Promise<FastifyReply> {
  if (guid !== undefined && !isGuid(guid)) throw notFound();
  const { parameters } = request;
  const kept = draftOf(Object.keys(EVENT_FIELDS.properties), parameters);
  const back =
    guid === undefined
      ? { to: NEW_EVENT, draft: kept }
      : { to: `${eventPath(guid)}/edit`, draft: { ...kept, guid } };
  return receiveDraft(
    context,
    request,
    reply,
    back,
    async (session, isExpired) => {
      const { user } = session;
      const event =
        guid === undefined ? undefined : await getOwn(context, user, guid);
      const draft = readEventDraft(parameters);
      const again = (shown: EventDraft, status: number) =>
        sendForm(context, reply, session, { draft: shown, event }, status);
      if (isExpired)
        return again({ ...draft, message: pageTexts.form.expired }, 403);
      const choices = await loadChoices(context, user, event);
      const result = await (event
        ? changeFromDraft(context, user, draft, { event, choices })
        : createOnce(context, request, session, { draft, choices }));
      if ("refused" in result) return again(result.refused, 422);
      const made = "event" in result ? result.event : result;
      return redirectTo(reply, eventPath(made.guid));
    },
  );
}

/** A form that is not taken as it is. */
class EventRefused extends Error {
  readonly draft: EventDraft;
  constructor(draft: EventDraft) {
    super("The event was refused.");
    this.name = "EventRefused";
    this.draft = draft;
  }
}

/** The same form sent again leads to the event that it made the first time. */
async function createOnce(
  context: PagesContext,
  request: FastifyRequest,
  session: Session,
  { draft, choices }: { draft: EventDraft; choices: Choices },
): Promise<{ readonly guid: string } | { readonly refused: EventDraft }> {
  const { user } = session;
  try {
    const guid = await writeOnce(context, request, session, async () => {
      const result = await createFromDraft(context, user, draft, choices);
      if ("refused" in result) throw new EventRefused(result.refused);
      return result.event.guid;
    });
    return { guid };
  } catch (error) {
    if (error instanceof EventRefused) return { refused: error.draft };
    throw error;
  }
}

/** Of an event, or of one event of a series. @throws {KithError} `not_found` */
function draftToEdit(event: CalendarEvent, parameters: Parameters): EventDraft {
  const { occurrence } = readInput(ONE, parameters);
  if (occurrence === undefined || occurrence === "") return draftOfEvent(event);
  const draft = draftOfOccurrence(event, occurrence);
  if (!draft) throw notFound();
  return draft;
}

/** Begins today in the zone of the user, for its usual audience. */
async function newDraft(
  { accounts, clock }: PagesContext,
  { user }: Session,
  day: string,
): Promise<EventDraft> {
  const { audience, timeZone } = await accounts.getSettings(user.userId);
  const today = dateIn(timeZone, timestamp(clock.now()));
  const { kind } = audience;
  return {
    ...emptyEventDraft(timeZone, parseDatetime(day)?.date ?? today),
    audience: EVENT_AUDIENCES.find((it) => it === kind) ?? "",
    aspectIds: kind === "aspects" ? audience.aspectIds : [],
  };
}

/** An event of somebody else stays in its calendar. */
async function loadChoices(
  { aspects, calendars }: PagesContext,
  user: SignedIn,
  event?: CalendarEvent,
): Promise<Choices> {
  const page = { offset: 0, limit: MAX_CALENDARS };
  const [all, own, shared] = await Promise.all([
    aspects.list(user.userId),
    calendars.list(user.userId, page),
    calendars.listShared(user),
  ]);
  const writable = shared.filter(({ share }) => share.mayWrite);
  if (event && event.personId !== user.personId)
    return {
      aspects: all,
      calendars: writable.filter(({ id }) => id === event.calendarId),
    };
  return { aspects: all, calendars: event ? own : [...own, ...writable] };
}

async function sendForm(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  shown: {
    readonly draft: EventDraft;
    readonly event?: CalendarEvent | undefined;
  },
  status = 200,
): Promise<FastifyReply> {
  const { draft, event } = shown;
  const choices = await loadChoices(context, session.user, event);
  return sendPage(reply, {
    status,
    head: { title: event ? texts.editTitle : texts.newTitle, noindex: true },
    session,
    main: eventFormView(session, draft, choices, event),
  });
}

/** @throws {KithError} `not_found`, also for an event that the user can only see */
async function getOwn(
  { events }: PagesContext,
  user: SignedIn,
  guid: string,
): Promise<CalendarEvent> {
  const event = await events.findVisible({ guid }, user);
  if (!event || !(await events.mayChange(user, event))) throw notFound();
  return event;
}

function notFound(): KithError {
  return new KithError("not_found", "No such event of yours.");
}
