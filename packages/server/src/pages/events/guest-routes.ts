import type { FastifyInstance } from "fastify";
import type { ParticipationId } from "../../features/ids.ts";
import {
  ORGANIZER_REPLIES,
  type OrganizerReply,
} from "../../features/participations/index.ts";
import { readInput } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { eventPath } from "./event-parts.ts";

const REPLY = Type.Object({
  reply: Type.Optional(
    Type.String({
      enum: [...ORGANIZER_REPLIES],
      description: "May the guest come?",
    }),
  ),
});

type OfGuest = { Params: { guid: string; id: string } };

/** The buttons with which an organizer confirms or refuses a guest. */
export function guestRoutes(app: FastifyInstance, context: PagesContext): void {
  app.post<OfGuest>(
    "/events/:guid/guests/:id",
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const { guid, id } = request.params;
      if (!isGuid(guid) || !/^[1-9]\d{0,14}$/.test(id)) throw notFound();
      const to = eventPath(guid);
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to });
      const { user } = session;
      const event = await context.events.findVisible({ guid }, user);
      if (event?.personId !== user.personId) throw notFound();
      checkCsrf(session, request.parameters);
      const input = readInput(REPLY, request.parameters);
      if (input.reply === undefined)
        throw new KithError("bad_request", "The reply must be given.");
      const guest = Number(id) as ParticipationId;
      const said = input.reply as OrganizerReply;
      await context.participations.reply(user, { guid }, guest, said);
      return redirectTo(reply, to);
    },
  );
}

function notFound(): KithError {
  return new KithError("not_found", "No such event.");
}
