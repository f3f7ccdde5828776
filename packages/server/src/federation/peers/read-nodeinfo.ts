import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
const SCHEMA =
  /^https?:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/[12]\.\d$/;
const NAME = /^[a-z0-9-]{1,100}$/;

/**
 * Asks a server for its software.
 * @returns `software.name` in lower case; null if unknown, or on another origin
 * @see NodeInfo protocol, sections 6 and 8
 */
export async function readSoftware(
  fetch: GuardedFetch,
  origin: string,
): Promise<string | null> {
  const index = await getJson(fetch, `${origin}/.well-known/nodeinfo`);
  const links = isRecord(index) ? index["links"] : undefined;
  for (const link of Array.isArray(links) ? links.slice(0, 10) : []) {
    const url = readLink(link, origin);
    if (url === undefined) continue;
    const document = await getJson(fetch, url);
    const software = isRecord(document) ? document["software"] : undefined;
    const name = isRecord(software) ? software["name"] : undefined;
    const known = typeof name === "string" ? name.toLowerCase() : "";
    return NAME.test(known) ? known : null;
  }
  return null;
}

/** Only a document on the server's own origin counts. */
function readLink(link: unknown, origin: string): string | undefined {
  if (!isRecord(link)) return undefined;
  const { rel, href } = link;
  if (typeof rel !== "string" || !SCHEMA.test(rel)) return undefined;
  if (typeof href !== "string") return undefined;
  const url = URL.parse(href, origin);
  return url?.origin === origin ? url.href : undefined;
}

async function getJson(fetch: GuardedFetch, url: string): Promise<unknown> {
  try {
    const { status, body } = await fetch.request({
      method: "GET",
      url,
      headers: { accept: "application/json" },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      accept2xxOnly: true,
    });
    if (status < 200 || status >= 300) return undefined;
    return JSON.parse(Buffer.from(body).toString()) as unknown;
  } catch (error) {
    if (error instanceof FetchRefused || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
