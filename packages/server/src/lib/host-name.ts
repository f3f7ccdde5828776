import { withoutEnd } from "./lines.ts";

/**
 * The canonical spelling of a host: in lower case and ASCII, without a port and
 * without a trailing dot. For a URL, that of its host.
 * @returns undefined for neither a host nor a web URL
 */
export function normalHost(text: string): string | undefined {
  const trimmed = text.trim();
  const isUrl = /^https?:\/\//i.test(trimmed);
  if (!isUrl && /[/?#@\\\s]/.test(trimmed)) return undefined;
  const url = URL.parse(isUrl ? trimmed : `http://${trimmed}`);
  const host = withoutEnd(url?.hostname ?? "", ".");
  return host === "" ? undefined : host;
}

/**
 * The part that the URL parser searches for a host: it skips blanks and
 * additional slashes before it.
 */
const AUTHORITY = /^https?:[\s/\\]*([^/\\?#]*)/i;
/** Length of a label of a host name (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/**
 * Are the labels of the host short enough? Check it before parsing the URL:
 * encoding a label that is not ASCII takes quadratic time.
 */
export function hasShortLabels(url: string): boolean {
  const authority = AUTHORITY.exec(url)?.[1] ?? "";
  return authority
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= MAX_LABEL);
}

/**
 * A host and its parent domains, nearest first: `a.b.example`, `b.example`,
 * `example`.
 */
export function withParents(host: string): string[] {
  // An address has no parents.
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return [host];
  const labels = host.split(".");
  return labels.map((_, start) => labels.slice(start).join("."));
}
