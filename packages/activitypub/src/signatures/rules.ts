import { signatureError } from "../errors.ts";

/** Whole seconds of tolerance: deliveries that were queued at the sender, and clocks that run ahead. */
const MAX_AGE_SECONDS = 12 * 60 * 60;
const MAX_AHEAD_SECONDS = 60 * 60;

/** What a verifier knows besides the request. */
export type VerifyOptions = {
  now: Date;
  /** Our own origin as configured, `https://example.org:8443`, whatever a proxy makes of the request. */
  origin: string;
};

/**
 * Checks the time of signing, in seconds since 1970.
 * @throws {ActivityPubError} `signature_expired`
 */
export function checkWindow(seconds: number, now: Date): void {
  const age = now.getTime() / 1000 - seconds;
  if (!(age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS)) {
    throw signatureError("date-out-of-window", "Signed too long ago, or ahead");
  }
}

/**
 * Checks the end that the signer set, in seconds since 1970.
 * @throws {ActivityPubError} `signature_expired`
 */
export function checkExpires(seconds: number, now: Date): void {
  if (!(seconds * 1000 >= now.getTime())) {
    throw signatureError("expired", "The signature has expired");
  }
}

/** Reads an HTTP date (RFC 9110 §5.6.7); times of another zone than UTC are none. */
export function parseHttpDate(text: string): number {
  if (!/(?:GMT|UTC|Z|[+-]00:?00)$/i.test(text)) return Number.NaN;
  return Date.parse(text) / 1000;
}

/**
 * Checks that a `Host` header names us. On a port of its own the bare name is taken as well: Friendica and
 * Gancio leave the port out.
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
