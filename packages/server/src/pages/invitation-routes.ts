import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import type { InvitationId } from "../features/ids.ts";
import { readInput, uint } from "../http/input.ts";
import { KithError } from "../lib/errors.ts";
import { Type } from "../lib/json-schema.ts";
import { adminTexts } from "./admin/admin-texts.ts";
import { checkCsrf } from "./csrf.ts";
import { alertView } from "./form-fields.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { invitationsView, invite } from "./invitation-view.ts";
import { neighboursView } from "./list-view.ts";
import { readPart } from "./page-input.ts";
import { sendPage } from "./send-page.ts";
import { findVisitor, goTo, type PagesContext } from "./visitor.ts";
import { signInPath } from "./way-back.ts";

const texts = adminTexts.invitations;

const PAGE_SIZE = 50;
const BODY_LIMIT = 16 * 1024;
const PATH = "/invitations";
const WHICH = Type.Object({ id: uint("The ID of the invitation") });

/** One's own invitations, for whoever may invite. */
export function invitationRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  const acting = {
    config: { access: "session", limit: "write" } as const,
    bodyLimit: BODY_LIMIT,
  };
  const { invitations } = context;
  app.get(PATH, { config }, async (request, reply) => {
    const session = await findInviter(context, request);
    if (!session) return goTo(reply, signInPath(PATH));
    return sendOwn(context, request, reply, session);
  });
  app.post(`${PATH}/create`, acting, async (request, reply) => {
    const session = await findInviter(context, request);
    if (!session) return goTo(reply, signInPath(PATH));
    checkCsrf(session, request.parameters);
    const outcome = await invite(context, session, request.parameters);
    if ("shown" in outcome)
      return send(
        reply,
        session,
        html`${outcome.shown}
          <p><a href="${PATH}">${adminTexts.back}</a></p>`,
      );
    return sendOwn(context, request, reply, session, outcome.fault);
  });
  app.post(`${PATH}/revoke`, acting, async (request, reply) => {
    const session = await findInviter(context, request);
    if (!session) return goTo(reply, signInPath(PATH));
    checkCsrf(session, request.parameters);
    const { id = 0 } = readInput(WHICH, request.parameters);
    await invitations.revokeOwn(session.user, id as InvitationId);
    return goTo(reply, PATH);
  });
}

/** Who asks, where it is somebody. @throws {KithError} `not_found` for whoever may not invite */
async function findInviter(
  context: PagesContext,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const session = await findVisitor(context, request);
  if (session && !context.invitations.mayInvite(session.user))
    throw new KithError("not_found", "Invitations are not for this user.");
  return session;
}

async function sendOwn(
  { invitations }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  fault?: string,
): Promise<FastifyReply> {
  const part = await readPart(request, PAGE_SIZE, (page) =>
    invitations.listOwn(session.user, page),
  );
  const main = html`${alertView(fault === undefined ? [] : [fault])}
  ${invitationsView(invitations, session, PATH, part.items)} ${neighbours(part)}`;
  return send(reply, session, main, fault === undefined ? 200 : 422);
}

function neighbours(part: Parameters<typeof neighboursView>[0]): HtmlValue {
  const words = { previous: adminTexts.newer, next: adminTexts.older };
  return neighboursView(part, words);
}

function send(
  reply: FastifyReply,
  session: Session,
  main: Html,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: html`<h1>${texts.title}</h1>
      ${main}`,
  });
}
