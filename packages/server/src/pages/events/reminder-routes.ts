import type { FastifyInstance } from "fastify";
import { MAX_LEAD_MINUTES } from "../../features/reminders/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { eventPath } from "./event-parts.ts";
import { NEVER, USUAL } from "./reminder-view.ts";
import { checkCsrf } from "../kit/csrf.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const CHOICE = Type.Object({
  minutes: text("How many minutes before the event; usual, or never"),
});

type OfGuid = { Params: { guid: string } };

/** The form of an event that chooses when its reader is reminded. */
export function reminderRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.post<OfGuid>(
    "/events/:guid/reminder",
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const { guid } = request.params;
      const to = eventPath(guid);
      const session = isGuid(guid) && (await findVisitor(context, request));
      if (session === false) throw notFound();
      if (!session) return askToSignIn(context, request, reply, { to });
      checkCsrf(session, request.parameters);
      const { minutes } = readInput(CHOICE, request.parameters);
      const { events, reminders } = context;
      const event = await events.findVisible({ guid }, session.user);
      if (!event) throw notFound();
      await reminders.choose(session.user, event.id, readChoice(minutes));
      return redirectTo(reply, to);
    },
  );
}

function notFound(): KithError {
  return new KithError("not_found", "No such event.");
}

/** @throws {KithError} `bad_request` */
function readChoice(given = ""): number[] | null {
  if (given === USUAL) return null;
  if (given === NEVER) return [];
  if (!/^\d{1,5}$/.test(given))
    throw new KithError(
      "bad_request",
      `The parameter minutes must be between 0 and ${MAX_LEAD_MINUTES}, usual or never.`,
    );
  return [Number(given)];
}
