import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import {
  codeOf,
  DatabaseAway,
  KithError,
  messageOf,
  type ErrorCode,
} from "../lib/errors.ts";

/**
 * The error that a client gets: clients compare the messages, so they never
 * change.
 */
export type ErrorAnswer = {
  readonly status: number;
  readonly message: string;
  /** The cause, in a sentence for people: it may change at any time. */
  readonly detail?: string;
};

const WIRE: Readonly<Record<ErrorCode, readonly [number, string]>> = {
  bad_request: [400, "Bad request"],
  empty_string: [400, "The string is empty"],
  invalid_datetime: [400, "Invalid datetime"],
  unauthorized: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  suspended: [403, "Account suspended"],
  not_owner_of_outbox: [403, "User does not own the outbox"],
  registration_closed: [403, "Registration is closed"],
  invitation_refused: [403, "The invitation is not valid"],
  not_found: [404, "Not found"],
  user_not_found: [404, "User not found"],
  gone: [410, "Gone"],
  conflict: [409, "Conflict"],
  invalid: [422, "Unprocessable"],
  too_large: [413, "Request body too large"],
  unsupported_media_type: [415, "Unsupported media type"],
  too_many_requests: [429, "Too many requests"],
  not_implemented: [501, "Not implemented"],
  unavailable: [503, "Service unavailable"],
};

/**
 * Codes about the caller's own input, whose messages may be shown. A refusal
 * that depends on the viewer says no more than its fixed text: the rest would
 * disclose data of others.
 */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "bad_request",
  "empty_string",
  "invalid_datetime",
  "conflict",
  "invalid",
  "too_large",
  "unsupported_media_type",
]);

/** Statuses whose responses may say more than their fixed texts. */
export const EXPLAINED_STATUSES: ReadonlySet<number> = new Set(
  [...EXPLAINED].map((code) => WIRE[code][0]),
);

/** Some details quote the input. */
const MAX_DETAIL_LENGTH = 300;

/** Any failure that is not a KithError. */
export const SERVER_ERROR: ErrorAnswer = {
  status: 500,
  message: "Internal server error",
};

const DATABASE_AWAY: ErrorAnswer = {
  status: WIRE.unavailable[0],
  message: WIRE.unavailable[1],
};

/** Every message of a status. */
export function messagesOf(status: number): readonly string[] {
  const ours = Object.values(WIRE)
    .filter(([code]) => code === status)
    .map(([, message]) => message);
  const answers = [answerForFramework({ statusCode: status }), SERVER_ERROR];
  const theirs = answers
    .filter((answer) => answer?.status === status)
    .map((answer) => answer?.message ?? "");
  return [...new Set([...ours, ...theirs])];
}

/** Maps a code to its status, here alone. @returns undefined for a bug */
export function answerFor(error: unknown): ErrorAnswer | undefined {
  if (error instanceof KithError) {
    const [status, message] = WIRE[error.code];
    return EXPLAINED.has(error.code)
      ? { status, message, detail: detailOf(error) }
      : { status, message };
  }
  if (error instanceof DatabaseAway) return DATABASE_AWAY;
  return answerForFramework(error);
}

function detailOf({ message }: KithError): string {
  const characters = [...message.toWellFormed()];
  return characters.length <= MAX_DETAIL_LENGTH
    ? characters.join("")
    : `${characters.slice(0, MAX_DETAIL_LENGTH).join("")}…`;
}

/** The error object of a response. */
export function errorBody({ message, detail }: ErrorAnswer): string {
  return JSON.stringify({
    error: message,
    ...(detail === undefined ? {} : { detail }),
  });
}

/**
 * The `WWW-Authenticate` header of an error (RFC 6750, section 3). That of a 401 says
 * `invalid_token` only if a token was given and refused: clients then get a new one, and
 * must not do so after a wrong password. A 403 has one if the token lacks a scope.
 * @returns undefined if the response has none
 */
export function challengeFor(
  error: unknown,
  { status }: ErrorAnswer,
): string | undefined {
  const realm = 'Bearer realm="Kith"';
  const { neededScope, isTokenRefused } =
    error instanceof KithError ? error : NO_CHALLENGE;
  if (neededScope !== undefined)
    return `${realm}, error="insufficient_scope", error_description="The access token does not allow this"${neededScope === "" ? "" : `, scope="${neededScope}"`}`;
  if (status !== 401) return undefined;
  return isTokenRefused
    ? `${realm}, error="invalid_token", error_description="The access token is not valid"`
    : realm;
}

const NO_CHALLENGE = { neededScope: undefined, isTokenRefused: false };

const RETRY_AFTER_S = { least: 5, most: 30 };

/**
 * The Retry-After header in seconds.
 * @returns undefined if the response has none
 */
export function retryAfterOf(
  error: unknown,
  { status }: ErrorAnswer,
): number | undefined {
  if (error instanceof KithError && error.retryAfterS !== undefined)
    return error.retryAfterS;
  // With jitter: otherwise all clients would come back together.
  return status === 503 || status === 429
    ? randomInt(RETRY_AFTER_S.least, RETRY_AFTER_S.most + 1)
    : undefined;
}

/** Errors of Fastify itself: a malformed URL, a truncated body. */
function answerForFramework(error: unknown): ErrorAnswer | undefined {
  const { statusCode } = error as { statusCode?: unknown };
  switch (statusCode) {
    case 400:
      return { status: 400, message: "Bad request" };
    case 404:
      return { status: 404, message: "Not found" };
    case 413:
      return { status: 413, message: "Request body too large" };
    case 414:
      return { status: 414, message: "URI too long" };
    case 415:
      return { status: 415, message: "Unsupported media type" };
    case 429:
      return { status: 429, message: "Too many requests" };
    default:
      return undefined;
  }
}

const UNPARSED: Readonly<Record<string, readonly [string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "Request timeout"],
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "Request header fields too large",
  ],
};

/** Answers a request that Node could not parse, and closes its connection. */
export function answerUnparsed(
  error: Error,
  socket: Socket,
  log: FastifyBaseLogger,
): void {
  log.trace({ err: error }, "client error");
  const code = codeOf(error) ?? "";
  if (code !== "ECONNRESET" && socket.writable) {
    const [status, message] = UNPARSED[code] ?? [
      "400 Bad Request",
      "Bad request",
    ];
    const body = errorBody({ status: Number.parseInt(status), message });
    const head = [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

/** Logs an error once it is answered: only a bug has a line of its own at the usual level. */
export function logAnswered(
  error: unknown,
  answer: ErrorAnswer,
  { id, log, server }: FastifyRequest,
): void {
  if (error instanceof DatabaseAway) server.noteOutage(error);
  else if (answer === SERVER_ERROR)
    log.error({ requestId: id, err: error }, "A request failed");
  else log.debug({ requestId: id, status: answer.status }, messageOf(error));
}

/** Answers an error in JSON, and logs it once. */
export async function answerError(
  error: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = answerFor(error) ?? SERVER_ERROR;
  logAnswered(error, answer, reply.request);
  const retryAfterS = retryAfterOf(error, answer);
  if (retryAfterS !== undefined) void reply.header("retry-after", retryAfterS);
  // A peer that signs its requests would take this header as an invitation.
  const { access } = reply.request.routeOptions.config;
  const challenge =
    access === "message" ? undefined : challengeFor(error, answer);
  if (challenge !== undefined) void reply.header("www-authenticate", challenge);
  return reply
    .code(answer.status)
    .type("application/json; charset=utf-8")
    .send(errorBody(answer));
}
