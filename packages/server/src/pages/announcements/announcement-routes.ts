import type { FastifyInstance } from "fastify";
import type { AnnouncementId } from "../../features/ids.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { HOME } from "../session/places.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { ANNOUNCEMENTS } from "./announcement-view.ts";

/** Puts an announcement away. */
export function announcementPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.post<{ Params: { id: string } }>(
    `${ANNOUNCEMENTS}/:id/dismiss`,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const { id } = request.params;
      if (!/^[1-9]\d{0,14}$/.test(id))
        throw new KithError("not_found", "No such announcement.");
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to: HOME });
      checkCsrf(session, request.parameters);
      const { userId } = session.user;
      await context.announcements.dismiss(userId, Number(id) as AnnouncementId);
      return redirectTo(reply, HOME);
    },
  );
}
