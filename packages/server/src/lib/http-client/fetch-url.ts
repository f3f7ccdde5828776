import { isIP } from "node:net";
import { isPrivateAddress } from "./addresses.ts";
import { FetchRefused } from "./fetch-refused.ts";

const MAX_URL_LENGTH = 2048;

// Names of local machines or other networks, whatever a resolver returns.
const LOCAL_SUFFIXES = [
  ".local",
  ".localhost",
  ".internal",
  ".home.arpa",
  ".onion",
  ".i2p",
];

/**
 * Checks a URL before anything is resolved or sent, and normalizes it: host in
 * lower case and punycode without a trailing dot, no fragment.
 * @throws {FetchRefused} with the violated rule
 */
export function checkUrl(raw: string, allowPrivateNetwork: boolean): URL {
  const url = parseUrl(raw);
  if (url.protocol !== "https:") {
    if (url.protocol !== "http:" || !allowPrivateNetwork) {
      throw new FetchRefused("scheme", `scheme ${url.protocol} not allowed`);
    }
  }
  checkPort(url, allowPrivateNetwork);
  checkHost(url, allowPrivateNetwork);
  return url;
}

/** A host in the format of a resolver and `net`: IPv6 without brackets. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function parseUrl(raw: string): URL {
  if (raw.length > MAX_URL_LENGTH)
    throw new FetchRefused("url", "URL too long");
  // The URL parser accepts these silently, other parsers read them differently.
  if (/[\p{Cc}\s\\]/u.test(raw)) {
    throw new FetchRefused("url", "URL with white space or backslash");
  }
  if (/^[a-z][a-z0-9+.-]*:\/*[^/?#]*@/i.test(raw)) {
    throw new FetchRefused("userinfo", "URL with user name or password");
  }
  const url = URL.parse(raw);
  if (url === null) throw new FetchRefused("url", "not a URL");
  url.hash = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.href.length > MAX_URL_LENGTH) {
    throw new FetchRefused("url", "URL too long");
  }
  return url;
}

function checkPort(url: URL, allowPrivateNetwork: boolean): void {
  if (url.port === "0") throw new FetchRefused("port", "port 0 not allowed");
  if (url.port === "" || allowPrivateNetwork) return;
  if (Number(url.port) < 1024) {
    throw new FetchRefused("port", `port ${url.port} not allowed`);
  }
}

function checkHost(url: URL, allowPrivateNetwork: boolean): void {
  const host = bareHost(url);
  // The URL parser has already converted every spelling of an IPv4 address
  // (decimal, octal, hexadecimal, short) to the dotted form.
  if (isIP(host) !== 0) {
    if (allowPrivateNetwork && isPrivateAddress(host)) return;
    throw new FetchRefused("host", "IP address instead of a host name");
  }
  const labels = host.split(".");
  if (host.length > 253 || labels.some((l) => l === "" || l.length > 63)) {
    throw new FetchRefused("host", "malformed host name");
  }
  if (allowPrivateNetwork) {
    if (labels.length === 1 || host.endsWith(".localhost")) return;
  }
  if (labels.length === 1) {
    throw new FetchRefused("host", "host name without a dot");
  }
  if (LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) {
    throw new FetchRefused("host", "local host name");
  }
}
