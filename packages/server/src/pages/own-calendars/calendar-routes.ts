import type { FastifyInstance } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { CalendarId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
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
import {
  perform,
  readCalendarId,
  sendCalendars,
  type CalendarsSaid,
} from "./perform-act.ts";
import { chosenColor, COLOR_INPUT } from "./calendar-colors.ts";
import { CALENDARS } from "./paths.ts";
import { shareActs } from "./share-acts.ts";
import { subscriptionRoutes } from "./subscription-routes.ts";
import { deleteCalendarView } from "./calendars-view.ts";

const FILE = "file";

const LOOK = Type.Object({
  name: text("The name of a calendar"),
  ...COLOR_INPUT,
});

type OfId = { Params: { id: string } };
type Act = (
  session: Session,
  id: CalendarId,
  parameters: Parameters,
) => Promise<CalendarsSaid | undefined>;

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
      const id = readCalendarId<CalendarId>(request.params.id);
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
        const given = readInput(LOOK, request.parameters);
        const { name = "" } = given;
        const { userId } = user;
        await context.calendars.create(userId, name, chosenColor(given));
        return undefined;
      }),
  );
  calendarActs(app, context);
  subscriptionRoutes(app, context);
}

function calendarActs(app: FastifyInstance, context: PagesContext): void {
  const { calendars, events } = context;
  const silently = async (done: Promise<unknown>) => {
    await done;
    return undefined;
  };
  const acts: readonly (readonly [string, Act])[] = [
    [
      "change",
      ({ user }, id, parameters) => {
        const given = readInput(LOOK, parameters);
        const look = { name: given.name ?? "", color: chosenColor(given) };
        return silently(calendars.change(user.userId, id, look));
      },
    ],
    [
      "color",
      ({ user }, id, parameters) => {
        const color = chosenColor(readInput(LOOK, parameters)) ?? "";
        return silently(calendars.changeSharedColor(user, id, color));
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
        const id = readCalendarId<CalendarId>(request.params.id);
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
      const id = readCalendarId<CalendarId>(request.params.id);
      const file = request.parameters[FILE];
      const bytes =
        file instanceof UploadedFile ? file.bytes : new Uint8Array();
      return perform(context, request, reply, async ({ user }) => ({
        report: await events.objects.importFile(user, id, bytes),
      }));
    },
  );
}
