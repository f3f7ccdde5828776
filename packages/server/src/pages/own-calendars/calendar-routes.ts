import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { CalendarShare } from "../../features/calendars/index.ts";
import type { CalendarId, PersonId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { calendarTexts as texts } from "../languages/texts.ts";
import { unlessDone } from "../people/contact-routes.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { CALENDARS } from "./paths.ts";
import { shareActs } from "./share-acts.ts";
import {
  calendarsView,
  deleteCalendarView,
  type CalendarsPage,
} from "./calendars-view.ts";

/** As many as an account can have. */
const MAX_CALENDARS = 200;
const FILE = "file";

const NAME = Type.Object({ name: text("The name of a calendar") });

type OfId = { Params: { id: string } };
type Act = (
  session: Session,
  id: CalendarId,
  parameters: Parameters,
) => Promise<Said | undefined>;
type Said = Partial<Pick<CalendarsPage, "fault" | "report">>;

/** One's own calendars: those made here, and those that calendar programs have made. */
export function ownCalendarRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const reading = { access: "session", limit: "read" } as const;
  app.get(CALENDARS, { config: reading }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendCalendars(context, reply, session);
  });
  app.get<OfId>(
    `${CALENDARS}/:id/delete`,
    { config: reading },
    async (request, reply) => {
      const id = readId(request.params.id);
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const calendar = await context.calendars.get(session.user.userId, id);
      return sendPage(reply, {
        head: { title: texts.deleteTitle, noindex: true },
        session,
        main: deleteCalendarView(session, calendar),
      });
    },
  );
  app.post(
    `${CALENDARS}/create`,
    { config: { access: "session", limit: "write" } },
    (request, reply) =>
      perform(context, request, reply, async ({ user }) => {
        const { name = "" } = readInput(NAME, request.parameters);
        await context.calendars.create(user.userId, name);
        return undefined;
      }),
  );
  calendarActs(app, context);
}

function calendarActs(app: FastifyInstance, context: PagesContext): void {
  const { calendars, events } = context;
  const silently = async (done: Promise<unknown>) => {
    await done;
    return undefined;
  };
  const acts: readonly (readonly [string, Act])[] = [
    [
      "rename",
      ({ user }, id, given) => {
        const { name = "" } = readInput(NAME, given);
        return silently(calendars.rename(user.userId, id, name));
      },
    ],
    // A form that is sent twice is not a fault.
    [
      "delete",
      ({ user }, id) => silently(unlessDone(events.removeCalendar(user, id))),
    ],
    [
      "secret",
      ({ user }, id) => silently(calendars.renewSecretAddress(user.userId, id)),
    ],
    [
      "secret/end",
      ({ user }, id) => silently(calendars.endSecretAddress(user.userId, id)),
    ],
    ...shareActs(context),
  ];
  for (const [name, act] of acts)
    app.post<OfId>(
      `${CALENDARS}/:id/${name}`,
      { config: { access: "session", limit: "write" } },
      (request, reply) => {
        const id = readId(request.params.id);
        return perform(context, request, reply, (session) =>
          act(session, id, request.parameters),
        );
      },
    );
  app.post<OfId>(
    `${CALENDARS}/:id/import`,
    {
      config: { access: "session", limit: "costly", file: FILE },
      onRequest: admitUploads(context),
    },
    (request, reply) => {
      const id = readId(request.params.id);
      const file = request.parameters[FILE];
      const bytes =
        file instanceof UploadedFile ? file.bytes : new Uint8Array();
      return perform(context, request, reply, async ({ user }) => ({
        report: await events.objects.importFile(user, id, bytes),
      }));
    },
  );
}

/** @throws {KithError} `not_found` */
function readId(given: string): CalendarId {
  if (!/^[1-9]\d{0,14}$/.test(given))
    throw new KithError("not_found", "No such calendar.");
  return Number(given) as CalendarId;
}

async function perform(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (session: Session) => Promise<Said | undefined>,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session) return askToSignIn(context, request, reply, { to: CALENDARS });
  checkCsrf(session, request.parameters);
  try {
    const said = await act(session);
    return said
      ? await sendCalendars(context, reply, session, said)
      : redirectTo(reply, CALENDARS);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return sendCalendars(context, reply, session, { fault });
  }
}

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.faults.blank;
  return error.code === "bad_request" ? texts.faults.refused : undefined;
}

async function sendCalendars(
  { aspects, calendars, people, baseUrl }: PagesContext,
  reply: FastifyReply,
  session: Session,
  said: Said = {},
): Promise<FastifyReply> {
  const { userId } = session.user;
  const page = { offset: 0, limit: MAX_CALENDARS };
  const own = await calendars.list(userId, page);
  const shown = await Promise.all(
    own.map(async (calendar) => ({
      ...calendar,
      addresses: await calendars.getAddresses(userId, calendar.id),
      shares: await calendars.listShares(userId, calendar.id),
    })),
  );
  const shared = await calendars.listShared(session.user);
  const named = [
    ...shown.flatMap(({ shares }) => shares.flatMap(personIdOf)),
    ...shared.map(({ share }) => share.owner.personId),
  ];
  const all = {
    ...{ session, baseUrl, calendars: shown, shared },
    aspects: await aspects.list(userId),
    people: await people.listById(named),
  };
  return sendPage(reply, {
    status: said.fault === undefined ? 200 : 422,
    head: { title: texts.title, noindex: true },
    session,
    main: calendarsView({ ...said, ...all }),
  });
}

function personIdOf({ with: recipient }: CalendarShare): PersonId[] {
  return recipient.kind === "person" ? [recipient.personId] : [];
}
