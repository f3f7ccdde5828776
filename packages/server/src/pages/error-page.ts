import type { FastifyReply, FastifyRequest } from "fastify";
import {
  answerFor,
  logAnswered,
  retryAfterOf,
  SERVER_ERROR,
  type ErrorAnswer,
} from "../http/error-response.ts";
import type { Session } from "../features/accounts/index.ts";
import { KithError, messageOf } from "../lib/errors.ts";
import { BodyTooLarge } from "../http/input/read-body.ts";
import { html } from "./kit/html.ts";
import { MEGABYTE, megabytes } from "./languages/megabytes.ts";
import { ERROR_PAGE_POLICY, sendJsonError, sendPage } from "./kit/send-page.ts";
import { composeTexts, pageTexts as texts } from "./languages/texts.ts";
import { findVisitor, type VisitorContext } from "./session/visitor.ts";
import { withReader } from "./languages/reader.ts";
import { wantsJson } from "./kit/wanted-type.ts";

/**
 * Answers an error: with a page for people, the error object for programs.
 * Apart from the navigation the page is the same for everyone, so it discloses
 * nothing about hidden objects.
 */
export function sendError(
  context: VisitorContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A body that cannot be parsed is refused before a handler runs.
  return withReader(request, () => answer(context, error, request, reply));
}

async function answer(
  context: VisitorContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = answerFor(error) ?? SERVER_ERROR;
  logAnswered(error, found, request);
  const retryAfterS = retryAfterOf(error, found);
  if (retryAfterS !== undefined) void reply.header("retry-after", retryAfterS);
  const isForPrograms = request.routeOptions.config.isForPrograms === true;
  if (isForPrograms || wantsJson(request.headers.accept))
    return sendJsonError(reply, found);
  const session = await findSession(context, request, found);
  return sendErrorPage(
    request,
    reply,
    { error, status: found.status },
    session,
  );
}

/** Under load the session is not looked up, since that queries the database. */
const UNDER_LOAD: ReadonlySet<number> = new Set([429, 503]);

/** @returns null if the look-up fails: the page is shown without a session */
async function findSession(
  context: VisitorContext,
  request: FastifyRequest,
  { status }: ErrorAnswer,
): Promise<Session | undefined | null> {
  if (UNDER_LOAD.has(status)) return null;
  try {
    return await findVisitor(context, request);
  } catch (error) {
    request.log.debug({ requestId: request.id }, messageOf(error));
    return null;
  }
}

function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, status }: { readonly error: unknown; readonly status: number },
  session: Session | undefined | null,
): FastifyReply {
  const { title, text } = wordsFor(error, status);
  const mayHelp = session === undefined && request.method === "GET";
  void reply.header("content-security-policy", ERROR_PAGE_POLICY);
  return sendPage(reply, {
    status,
    head: { title, noindex: true },
    session,
    main: html`<h1>${title}</h1>
      <p>${text}</p>
      ${
        mayHelp &&
        isAbsent(status) &&
        html`<p>
          <a href="/users/sign_in" rel="nofollow"
            >${texts.error.notFound.signIn}</a
          >
        </p>`
      }
      <p><a href="/">${texts.error.home}</a></p>`,
    script: null,
  });
}

/** It does not exist, or not for somebody who is not signed in. */
function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}

function wordsFor(error: unknown, status: number) {
  const { error: words } = texts;
  if (error instanceof KithError && error.code === "registration_closed")
    return words.registrationClosed;
  if (error instanceof KithError && error.code === "invitation_refused")
    return words.invitationRefused;
  if (isAbsent(status)) return words.notFound;
  if (status === 403) return words.forbidden;
  if (error instanceof BodyTooLarge && error.maxBytes >= MEGABYTE)
    return {
      title: words.tooLarge.title,
      text: composeTexts.faults.bodyTooLarge(megabytes(error.maxBytes)),
    };
  if (status === 413) return words.tooLarge;
  if (status === 429) return words.tooMany;
  return status >= 500 ? words.failed : words.refused;
}
