import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import type { ReturnTarget } from "../session/return-target.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { askToSignIn } from "./send-sign-in.ts";

/**
 * Takes a form with a draft that must not be lost: a sender without a session signs in
 * first, and comes back to the form as it was.
 * @param take gets whether the form is of an earlier session, and must be shown again
 */
export async function receiveDraft(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  back: ReturnTarget,
  take: (session: Session, isExpired: boolean) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session) return askToSignIn(context, request, reply, back);
  const { headers, parameters } = request;
  // An API client gets an error in place of a page.
  if (wantsJson(headers.accept)) checkCsrf(session, parameters);
  return take(session, !isOfSession(session, parameters));
}
