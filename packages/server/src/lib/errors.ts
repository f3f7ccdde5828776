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

/**
 * A broken rule. The message is for the log and for people who read code: what
 * a client sees is the fixed text that belongs to the code.
 */
export class KithError extends Error {
  readonly code: ErrorCode;
  /** After how many whole seconds it may go better, where that is known. */
  readonly retryAfterS: number | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterS }: { readonly retryAfterS?: number } = {},
  ) {
    super(message);
    this.name = "KithError";
    this.code = code;
    this.retryAfterS = retryAfterS;
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
