import type { FastifyInstance, FastifyReply } from "fastify";
import { OauthError, type OauthErrorCode } from "../features/oauth/index.ts";
import { answerFor } from "../http/error-response.ts";
import { KithError, type ErrorCode } from "../lib/errors.ts";

/** Those that are not 400. */
const STATUSES: Partial<Record<OauthErrorCode, number>> = {
  invalid_client: 401,
  unauthorized_client: 403,
};

/** Errors of reading the parameters. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["bad_request", "empty_string", "unsupported_media_type"] as const),
]);

/** Answers errors as RFC 6749, section 5.2, has them; others as everywhere. */
export function answerOauthErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof OauthError) {
      const { code, message } = error;
      return sendOauthError(reply, STATUSES[code] ?? 400, code, message);
    }
    if (error instanceof KithError && UNREADABLE.has(error.code)) {
      const { status } = answerFor(error) ?? { status: 400 };
      return sendOauthError(reply, status, "invalid_request", error.message);
    }
    throw error;
  });
}

function sendOauthError(
  reply: FastifyReply,
  status: number,
  code: OauthErrorCode,
  description: string,
): FastifyReply {
  if (status === 401)
    void reply.header("www-authenticate", 'Basic realm="Kith"');
  return sendUncached(
    reply.code(status),
    JSON.stringify({ error: code, error_description: description }),
  );
}

/** Sends JSON that no cache may store: tokens, and errors about them. */
export function sendUncached(reply: FastifyReply, json: string): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", pragma: "no-cache" })
    .type("application/json; charset=utf-8")
    .send(json);
}
