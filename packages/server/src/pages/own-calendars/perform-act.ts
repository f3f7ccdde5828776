import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { CalendarShare } from "../../features/calendars/index.ts";
import type { PersonId } from "../../features/ids.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { calendarTexts as texts } from "../languages/texts.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { calendarsView, type CalendarsPage } from "./calendars-view.ts";
import { ALL_CALENDARS } from "./entry-calendars.ts";
import { CALENDARS } from "./paths.ts";

/** The words with which the page is shown again. */
export type CalendarsSaid = Partial<
  Pick<CalendarsPage, "fault" | "notice" | "report">
>;

/** @throws {KithError} `not_found` */
export function readCalendarId<Id extends number>(given: string): Id {
  if (!/^[1-9]\d{0,14}$/.test(given))
    throw new KithError("not_found", "No such calendar.");
  return Number(given) as Id;
}

/** Does what a form of the page asks for, and shows the page again. */
export async function perform(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (session: Session) => Promise<CalendarsSaid | undefined>,
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

export async function sendCalendars(
  { aspects, calendars, people, subscribedCalendars, baseUrl }: PagesContext,
  reply: FastifyReply,
  session: Session,
  said: CalendarsSaid = {},
): Promise<FastifyReply> {
  const { userId } = session.user;
  const own = await calendars.list(userId, ALL_CALENDARS);
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
    subscribed: await subscribedCalendars.list(userId),
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
