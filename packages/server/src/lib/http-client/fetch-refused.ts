/** Why a request was not sent or its response was rejected. */
type RefusalReason =
  | "scheme"
  | "port"
  | "host"
  | "blocked"
  | "address"
  | "userinfo"
  | "url"
  | "too_many_redirects"
  | "redirect"
  | "too_large"
  | "timeout"
  | "network"
  | "dns";

/** A request that the guarded fetch refused or aborted, or that failed. */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused";
  readonly reason: RefusalReason;

  /** @param message short, for the log; it never reaches a client */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
    // Failed deliveries are common: their stack frames are useless, and would
    // fill the log.
    this.stack = `FetchRefused: ${message}`;
  }
}

/** Wraps an error of undici, zlib or the resolver. */
export function refusalFrom(error: unknown, host: string): FetchRefused {
  if (error instanceof FetchRefused) return error;
  const code = errorCode(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return new FetchRefused("too_large", `${host}: headers too large`);
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") {
    return new FetchRefused("timeout", `${host}: timed out (${code})`);
  }
  return new FetchRefused("network", `${host}: request failed (${code})`);
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  // Several addresses were tried: the last failure is as good as any.
  const inner: unknown =
    error instanceof AggregateError ? error.errors.at(-1) : undefined;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string") return code;
  return inner === undefined ? error.name : errorCode(inner);
}
