import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { InvitationId } from "../../features/ids.ts";
import { readInput, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { invitationTexts as texts, pageTexts } from "../languages/texts.ts";
import {
  INVITATION_FIELDS,
  invitationsView,
  invite,
} from "./invitation-view.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
  type Resume,
} from "../session/visitor.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import {
  draftOf,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";

const LIST = { path: "", size: 50, order: "newest first" } as const;
const BODY_LIMIT = 16 * 1024;
export const INVITATIONS = "/invitations";
const WHICH = Type.Object({ id: uint("The ID of the invitation") });

/** The user's own invitations, if the user may invite. */
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
  app.get(INVITATIONS, { config }, async (request, reply) => {
    const session = await findInviter(context, request);
    if (!session) return redirectTo(reply, signInPath(INVITATIONS));
    return sendOwn(context, request, reply, session);
  });
  app.post(`${INVITATIONS}/create`, acting, async (request, reply) => {
    const session = await findInviter(context, request);
    const { parameters } = request;
    const typed = draftOf(INVITATION_FIELDS, parameters);
    if (!session)
      return askToSignIn(context, request, reply, {
        to: INVITATIONS,
        draft: typed,
      });
    if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
    if (!isOfSession(session, parameters))
      return sendOwn(context, request, reply, session, {
        status: 403,
        fault: pageTexts.form.expired,
        typed,
      });
    const outcome = await invite(context, session, parameters);
    if ("shown" in outcome)
      return send(
        reply,
        session,
        html`${outcome.shown}
          <p><a href="${INVITATIONS}">${pageTexts.list.back}</a></p>`,
      );
    return sendOwn(context, request, reply, session, {
      status: 422,
      fault: outcome.fault,
      typed,
    });
  });
  app.post(`${INVITATIONS}/revoke`, acting, async (request, reply) => {
    const session = await findInviter(context, request);
    if (!session) return redirectTo(reply, signInPath(INVITATIONS));
    checkCsrf(session, request.parameters);
    const { id = 0 } = readInput(WHICH, request.parameters);
    await invitations.revokeOwn(session.user, id as InvitationId);
    return redirectTo(reply, INVITATIONS);
  });
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export const resumeInvitation: Resume = async (
  context,
  request,
  reply,
  session,
  draft,
) => {
  refuseOthers(context, session);
  const typed = draftOf(INVITATION_FIELDS, draft);
  const said = { fault: pageTexts.form.signedOut, typed };
  return sendOwn(context, request, reply, session, said);
};

/**
 * The session of a user who may invite, or undefined without a session. @throws
 * {KithError} `not_found` for a user who may not invite
 */
async function findInviter(
  context: PagesContext,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const session = await findVisitor(context, request);
  if (session) refuseOthers(context, session);
  return session;
}

/** @throws {KithError} `not_found` for a user who may not invite */
function refuseOthers({ invitations }: PagesContext, { user }: Session): void {
  if (!invitations.mayInvite(user))
    throw new KithError("not_found", "Invitations are not for this user.");
}

async function sendOwn(
  { invitations }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  {
    status = 200,
    fault,
    typed = {},
  }: { status?: number; fault?: string; typed?: FormDraft } = {},
): Promise<FastifyReply> {
  const part = await readKeyedPart(request, LIST, (page) =>
    invitations.listOwn(session.user, page),
  );
  const main = html`${alertView(fault === undefined ? [] : [fault])}
  ${invitationsView(invitations, session, INVITATIONS, { list: part.items, typed })}
  ${paginationView(part)}`;
  return send(reply, session, main, status);
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
