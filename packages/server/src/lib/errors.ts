/** What can be wrong with a request or a command. `http/error-response.ts` alone turns a code into a status. */
export type ErrorCode =
  | "bad_request"
  | "empty_string"
  | "invalid_datetime"
  | "unauthorized"
  | "forbidden"
  | "suspended"
  | "not_owner_of_outbox"
  | "registration_closed"
  | "invitation_refused"
  | "not_found"
  | "user_not_found"
  | "gone"
  | "conflict"
  | "invalid"
  | "too_large"
  | "unsupported_media_type"
  | "too_many_requests"
  | "not_implemented"
  | "unavailable";

type ErrorOptions = {
  readonly retryAfterS?: number;
  readonly isTokenRefused?: boolean;
};

/**
 * A broken rule. A client sees the fixed text that belongs to the code. The
 * message is for the log; the codes of `http/error-response.ts` that are about
 * the caller's own input show it to the caller, too, so theirs tells nothing of
 * anybody else. Each is a plain sentence with its full stop, as it is shown.
 */
export class KithError extends Error {
  readonly code: ErrorCode;
  /** After how many whole seconds it may go better, where that is known. */
  readonly retryAfterS: number | undefined;
  /** Was it the access token that was refused, and not something else that was to be proved? */
  readonly isTokenRefused: boolean;
  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterS, isTokenRefused = false }: ErrorOptions = {},
  ) {
    super(message);
    this.name = "KithError";
    this.code = code;
    this.retryAfterS = retryAfterS;
    this.isTokenRefused = isTokenRefused;
  }
}

/**
 * Something that whoever runs the server has to mend: the message says what and
 * how, in words, and no stack helps.
 */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}

/** The message of anything that was thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system or database error (`EADDRINUSE`, `23505`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : undefined;
}
