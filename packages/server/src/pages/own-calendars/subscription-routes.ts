import type { FastifyInstance } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { SubscriptionId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { calendarTexts } from "../languages/texts.ts";
import { unlessDone } from "../people/contact-routes.ts";
import type { PagesContext } from "../session/visitor.ts";
import { chosenColor, COLOR_INPUT } from "./calendar-colors.ts";
import { CALENDARS } from "./paths.ts";
import { perform, readCalendarId, type CalendarsSaid } from "./perform-act.ts";

const texts = calendarTexts.subscribed;

const SUBSCRIBE = Type.Object({
  url: text("The address of a calendar of another server"),
  name: text("The user's own name for it"),
});

const LOOK = Type.Object({
  name: text("The user's own name for it"),
  ...COLOR_INPUT,
});

type OfId = { Params: { id: string } };
type Act = (
  session: Session,
  id: SubscriptionId,
  parameters: Parameters,
) => Promise<CalendarsSaid | undefined>;

/** The forms for calendars of other servers. */
export function subscriptionRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.post(
    `${CALENDARS}/subscribe`,
    { config: { access: "session", limit: "costly" } },
    (request, reply) =>
      perform(context, request, reply, async ({ user }) =>
        subscribe(context, user.userId, request.parameters),
      ),
  );
  const { readCalendar, subscribedCalendars } = context;
  const acts: readonly (readonly [string, "costly" | "write", Act])[] = [
    [
      "change",
      "write",
      async ({ user }, id, parameters) => {
        const given = readInput(LOOK, parameters);
        const look = { name: given.name ?? "", color: chosenColor(given) };
        await subscribedCalendars.change(user.userId, id, look);
        return undefined;
      },
    ],
    [
      "refresh",
      "costly",
      async ({ user: { userId } }, id) => {
        const fault = await subscribedCalendars.refresh(
          userId,
          id,
          readCalendar,
        );
        return fault === null ? undefined : { fault: texts.faults[fault] };
      },
    ],
    [
      "end",
      "write",
      async ({ user }, id) => {
        await unlessDone(subscribedCalendars.unsubscribe(user.userId, id));
        return undefined;
      },
    ],
  ];
  for (const [name, limit, act] of acts)
    app.post<OfId>(
      `${CALENDARS}/subscribed/:id/${name}`,
      { config: { access: "session", limit } },
      (request, reply) => {
        const id = readCalendarId<SubscriptionId>(request.params.id);
        return perform(context, request, reply, (session) =>
          act(session, id, request.parameters),
        );
      },
    );
}

async function subscribe(
  { readCalendar, subscribedCalendars }: PagesContext,
  userId: Session["user"]["userId"],
  parameters: Parameters,
): Promise<CalendarsSaid | undefined> {
  const { url = "", name = "" } = readInput(SUBSCRIBE, parameters);
  try {
    const found = await subscribedCalendars.subscribe(
      userId,
      { url, name },
      readCalendar,
    );
    return typeof found === "string"
      ? { fault: texts.faults[found] }
      : { notice: texts.done(found.name) };
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "bad_request") return { fault: texts.faults.address };
    if (error.code === "conflict") return { fault: texts.faults.known };
    throw error;
  }
}
