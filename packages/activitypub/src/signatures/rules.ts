import { signatureError } from "../errors.ts";

/** Tolerance in whole seconds, for deliveries queued at the sender and for clocks that run ahead. */
const MAX_AGE_SECONDS = 12 * 60 * 60;
const MAX_AHEAD_SECONDS = 60 * 60;

/** The verifier's own context. */
export type VerifyOptions = {
  now: Date;
  /** Our own origin as configured, `https://example.org:8443`, even if a proxy rewrites the request. */
  origin: string;
};

/**
 * Checks the signing time, in seconds since 1970.
 * @throws {ActivityPubError} `signature_expired`
 */
export function checkWindow(seconds: number, now: Date): void {
  const age = now.getTime() / 1000 - seconds;
  if (!(age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS)) {
    throw signatureError("date-out-of-window", "Signed too long ago, or ahead");
  }
}

/**
 * Checks the expiry set by the signer, in seconds since 1970.
 * @throws {ActivityPubError} `signature_expired`
 */
export function checkExpires(seconds: number, now: Date): void {
  if (!(seconds * 1000 >= now.getTime())) {
    throw signatureError("expired", "The signature has expired");
  }
}

/** Parses an HTTP date (RFC 9110 §5.6.7); zones other than UTC are invalid. */
export function parseHttpDate(text: string): number {
  if (!/(?:GMT|UTC|Z|[+-]00:?00)$/i.test(text)) return Number.NaN;
  return Date.parse(text) / 1000;
}

/**
 * Checks that a `Host` header names this server. With a non-default port the bare name is accepted as well, because
 * Friendica and Gancio leave the port out.
 * @throws {ActivityPubError} `signature_invalid`
 */
export function checkHost(host: string, origin: string): void {
  const { hostname, host: authority, protocol } = new URL(origin);
  const name = host.toLowerCase();
  const defaultPort = protocol === "https:" ? "443" : "80";
  if (
    name !== authority &&
    name !== hostname &&
    !(authority === hostname && name === `${hostname}:${defaultPort}`)
  ) {
    throw signatureError("host-mismatch", "Signed for another host");
  }
}
