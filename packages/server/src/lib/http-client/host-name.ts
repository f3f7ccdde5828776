import { withoutEnd } from "../markdown/lines.ts";

/**
 * The one spelling of a host, whatever way it is written: in lower case and
 * ASCII, without a port and without the dot at its end. A URL's host is taken
 * out of the URL.
 * @returns undefined where it is neither a host nor a web address
 */
export function normalHost(text: string): string | undefined {
  const trimmed = text.trim();
  const isUrl = /^https?:\/\//i.test(trimmed);
  if (!isUrl && /[/?#@\\\s]/.test(trimmed)) return undefined;
  const url = URL.parse(isUrl ? trimmed : `http://${trimmed}`);
  const host = withoutEnd(url?.hostname ?? "", ".");
  return host === "" ? undefined : host;
}

/** As far as the parser looks for a host: it skips blanks and further slashes in front of it. */
const AUTHORITY = /^https?:[\s/\\]*([^/\\?#]*)/i;
/** Of a part of a host's name (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/**
 * Whether the host of a web address can be asked for. To be looked at before the address
 * is parsed: encoding a label that is not ASCII takes the square of its length.
 */
export function hasShortLabels(url: string): boolean {
  const authority = AUTHORITY.exec(url)?.[1] ?? "";
  return authority
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= MAX_LABEL);
}

/** A host and all above it, nearest first: `a.b.example`, `b.example`, `example`. */
export function withParents(host: string): string[] {
  // An address has no parents.
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return [host];
  const labels = host.split(".");
  return labels.map((_, start) => labels.slice(start).join("."));
}
