import { isIP } from "node:net";
import type { Parsed, SettingsReader } from "./reader.ts";

/** The parsed base URL. */
type BaseUrl = {
  origin: string;
  /** host[:port], without a default port. */
  host: string;
  port: number;
  isLoopback: boolean;
};

const DEFAULT = "http://localhost:3000";

/**
 * Parses the base URL. Without one, the port alone names a server on localhost.
 */
export function readBaseUrl(
  reader: SettingsReader,
  port: number | undefined,
): BaseUrl {
  const given = reader.read("KITH_BASE_URL", parseBaseUrl);
  if (given) return given;
  const url = new URL(DEFAULT);
  if (port !== undefined) url.port = String(port);
  return describe(url);
}

/** Can a host (as in a URL) only be this machine? */
function isLoopbackHost(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  if (hostname === "[::1]") return true;
  return isIP(hostname) === 4 && hostname.startsWith("127.");
}

/** Parses scheme, host and port of another address of this server. */
export function parseOrigin(text: string): Parsed<string> {
  const parsed = parseBaseUrl(text);
  return "value" in parsed ? { value: parsed.value.origin } : parsed;
}

function parseBaseUrl(text: string): Parsed<BaseUrl> {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) {
    return {
      fault: `must be an http or https address such as https://kith.example.org, not "${withoutPassword(text)}"`,
    };
  }
  if (url.username !== "" || url.password !== "") {
    return { fault: "must not contain a user name or password" };
  }
  if (url.pathname !== "/" || /[?#]/.test(text)) {
    return {
      fault: "must end after the host and port: no path, query or fragment",
    };
  }
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.port === "0") return { fault: "must not name port 0" };
  const base = describe(url);
  if (url.protocol === "http:" && !base.isLoopback) {
    return {
      fault: `must begin with https: other servers refuse http, and passwords would travel readable. http is only for localhost, not for ${url.hostname}`,
    };
  }
  return { value: base };
}

function describe(url: URL): BaseUrl {
  const defaultPort = url.protocol === "https:" ? 443 : 80;
  return {
    origin: url.origin,
    host: url.host,
    port: url.port === "" ? defaultPort : Number(url.port),
    isLoopback: isLoopbackHost(url.hostname),
  };
}

function withoutPassword(text: string): string {
  return text.includes("@") ? "…" : text;
}
