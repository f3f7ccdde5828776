import {
  answerFor,
  challengeFor,
  retryAfterOf,
} from "../../http/error-response.ts";
import type { FastifyReply } from "fastify";
import { DatabaseAway, KithError, type ErrorCode } from "../../lib/errors.ts";

/** The faults of the fields of a form, by their names. */
export type FieldFaults = Readonly<
  Record<
    string,
    readonly { readonly error: string; readonly description: string }[]
  >
>;

/** An error whose sentence clients compare, with its status. */
export class Refusal extends Error {
  readonly status: 403 | 404 | 422;
  readonly details: FieldFaults | undefined;
  constructor(status: 403 | 404 | 422, message: string, details?: FieldFaults) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.details = details;
  }
}

/** @see {@link Refusal} For a record that the viewer may not see, or that is not there. */
export const notFound = () => new KithError("not_found", "Record not found.");

/** A caller's own input that breaks a rule: `what` is a part of a sentence, without its end. */
export const invalid = (what: string) =>
  new Refusal(422, `Validation failed: ${what}`);

type Known = readonly [status: number, message: string];

/** The sentences that clients know. The others, about the caller's own input, are explained. */
const KNOWN: Readonly<Partial<Record<ErrorCode, Known>>> = {
  unauthorized: [401, "The access token is invalid"],
  forbidden: [403, "This action is not allowed"],
  suspended: [403, "Your login is currently disabled"],
  not_found: [404, "Record not found"],
  user_not_found: [404, "Record not found"],
};

const EXPLAINED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["bad_request", "empty_string", "invalid_datetime"] as const),
  ...(["conflict", "invalid", "unsupported_media_type"] as const),
]);

/**
 * Answers a broken rule in the words of this API, as `{ "error": … }`.
 * @throws the error itself, where it is a bug
 */
export function answerRefusal(error: unknown, reply: FastifyReply): void {
  const [status, message] = readRefusal(error);
  const answer = { status, message };
  if (error instanceof DatabaseAway) reply.server.noteOutage(error);
  const retryAfterS = retryAfterOf(error, answer);
  if (retryAfterS !== undefined) void reply.header("retry-after", retryAfterS);
  const challenge = challengeFor(error, answer);
  if (challenge !== undefined) void reply.header("www-authenticate", challenge);
  const details = error instanceof Refusal ? error.details : undefined;
  void reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: message, details }));
}

function readRefusal(error: unknown): Known {
  if (error instanceof Refusal) return [error.status, error.message];
  if (error instanceof KithError) {
    const known = KNOWN[error.code];
    if (known) return known;
    if (EXPLAINED.has(error.code))
      return [422, `Validation failed: ${error.message}`];
  }
  const answer = answerFor(error);
  if (!answer) throw error;
  return [answer.status, answer.message];
}
