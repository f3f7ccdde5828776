/**
 * The rule that a request or a command violates. `http/error-response.ts` alone maps a
 * code to a status.
 */
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
  readonly neededScope?: string;
};

/**
 * A violated rule. A client gets the fixed text of the code. The message is for
 * the log; for codes about the caller's own input (see
 * `http/error-response.ts`) it is shown to the caller, too, so it must not
 * disclose data of others. It is a plain sentence with a full stop.
 */
export class KithError extends Error {
  readonly code: ErrorCode;
  /** Seconds until a retry may succeed, if that is known. */
  readonly retryAfterS: number | undefined;
  /** Was the access token refused, rather than another credential? */
  readonly isTokenRefused: boolean;
  /** The scope that the access token lacks, if that is why; empty if no scope is enough. */
  readonly neededScope: string | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterS, isTokenRefused = false, neededScope }: ErrorOptions = {},
  ) {
    super(message);
    this.name = "KithError";
    this.code = code;
    this.retryAfterS = retryAfterS;
    this.isTokenRefused = isTokenRefused;
    this.neededScope = neededScope;
  }
}

/**
 * A problem for the operator: the message says what to do, and a stack does not
 * help.
 */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}

/**
 * The database cannot be reached, or was lost before a commit was asked for: nothing has changed,
 * and a retry may succeed. It has the message and the code of its cause.
 */
export class DatabaseAway extends Error {
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(messageOf(cause) || codeOf(cause), { cause });
    this.name = "DatabaseAway";
    this.code = codeOf(cause);
  }
}

/** The message of any thrown value, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system or database error (`EADDRINUSE`, `23505`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : undefined;
}
