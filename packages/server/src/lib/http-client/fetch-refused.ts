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
  /** The host, with its port, if any request to it would have failed. */
  readonly unreachableHost: string | undefined;

  /** @param message short, for the log; it never reaches a client */
  constructor(
    reason: RefusalReason,
    message: string,
    unreachableHost?: string,
  ) {
    super(message);
    this.reason = reason;
    this.unreachableHost = unreachableHost;
    // Failed deliveries are common: their stack frames are useless, and would
    // fill the log.
    this.stack = `FetchRefused: ${message}`;
  }
}

/** No connection came about, whatever was to be asked over it. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"],
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Wraps an error of undici, zlib or the resolver. */
export function refusalFrom(error: unknown, host: string): FetchRefused {
  if (error instanceof FetchRefused)
    return error.reason === "dns"
      ? new FetchRefused("dns", error.message, host)
      : error;
  const code = errorCode(error);
  const unreachable = UNREACHABLE.has(code) ? host : undefined;
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return new FetchRefused("too_large", `${host}: headers too large`);
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") {
    const message = `${host}: timed out (${code})`;
    return new FetchRefused("timeout", message, unreachable);
  }
  const message = `${host}: request failed (${code})`;
  return new FetchRefused("network", message, unreachable);
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
