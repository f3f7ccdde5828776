import type { FastifyInstance, FastifyReply } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { AccessId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { appTexts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { accessView, ALL_APPS, APPS } from "./access-view.ts";

const END = Type.Object({
  access: text(`Which access ends, or \`${ALL_APPS}\``),
});

/** The settings page of the apps that the user has let in. */
export function accessRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { oauth } = context;
  app.get(
    APPS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendAccesses(context, reply, session);
    },
  );
  app.post(
    APPS,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to: APPS });
      checkCsrf(session, request.parameters);
      const { access = "" } = readInput(END, request.parameters);
      const { userId } = session.user;
      const isAll = access === ALL_APPS;
      if (isAll) await oauth.endAllAccesses(userId);
      else await oauth.endAccess(userId, readId(access));
      const { ended, endedAll } = appTexts.access;
      return sendAccesses(context, reply, session, isAll ? endedAll : ended);
    },
  );
}

/** @throws {KithError} `not_found` */
function readId(given: string): AccessId {
  const id = Number(given);
  if (!/^\d{1,15}$/.test(given))
    throw new KithError("not_found", "No such access.");
  return id as AccessId;
}

async function sendAccesses(
  { oauth, clock }: PagesContext,
  reply: FastifyReply,
  session: Session,
  notice?: string,
): Promise<FastifyReply> {
  const accesses = await oauth.listAccesses(session.user.userId);
  return sendPage(reply, {
    head: { title: appTexts.access.title, noindex: true },
    session,
    main: accessView(session, accesses, clock.now(), notice),
  });
}
