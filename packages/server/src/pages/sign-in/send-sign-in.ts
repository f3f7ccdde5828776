import type { FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { signInView, type SignInPage } from "./account-views.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import type { ReturnTarget } from "../session/return-target.ts";

export async function sendSignIn(
  context: PagesContext,
  reply: FastifyReply,
  status: number,
  page: SignInPage,
): Promise<FastifyReply> {
  const { signUp } = await context.serverProfile.get();
  return sendPage(reply, {
    status,
    head: { title: texts.account.signInTitle, noindex: true },
    session: undefined,
    main: signInView({ signUp, hasMail: context.mails.isEnabled }, page),
    script: "passkeys.js",
  });
}

/**
 * Answers a form whose session has ended: with the sign-in page, which keeps
 * the draft and leads back to it.
 * @throws {KithError} `unauthorized` for API clients
 */
export async function askToSignIn(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  back: ReturnTarget,
): Promise<FastifyReply> {
  if (wantsJson(request.headers.accept))
    throw new KithError("unauthorized", "Nobody is signed in.");
  const page = { username: "", isWrong: false, back };
  return sendSignIn(context, reply, 401, page);
}
