import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { decodeHtml } from "../../lib/html/decode-html.ts";
import {
  readPageMetadata,
  type PageMetadata,
} from "../../lib/html/page-metadata.ts";
import { plainLine } from "../../lib/lines.ts";
import { readWebUrl, type PageSummary } from "./link-preview.ts";

export type ReadPageDeps = {
  readonly fetch: Pick<GuardedFetch, "request">;
};

/** The head of a page is at its beginning; the rest is not loaded. */
const MAX_PAGE_BYTES = 512 * 1024;
const MAX_OEMBED_BYTES = 64 * 1024;
const PAGE_TIMEOUT_MS = 8_000;
const OEMBED_TIMEOUT_MS = 4_000;
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_NAME = 100;

export type ReadPage =
  | { readonly kind: "read"; readonly summary: PageSummary }
  /** It says nothing about itself, or no longer exists. */
  | { readonly kind: "nothing" }
  | {
      readonly kind: "failed";
      /** The host that could not be reached: that of the page, or of one that it leads to. */
      readonly unreachableHost?: string;
    };

/**
 * Reads what a page says about itself. The other server learns the address of this server, and
 * nothing about posts and readers.
 * @throws the reason of `signal`, if it is aborted
 */
export async function readPage(
  { fetch }: ReadPageDeps,
  url: string,
  signal: AbortSignal,
): Promise<ReadPage> {
  try {
    const page = await fetch.request({
      method: "GET",
      url,
      headers: { accept: "text/html, application/xhtml+xml;q=0.9" },
      maxBytes: MAX_PAGE_BYTES,
      cut: true,
      timeoutMs: PAGE_TIMEOUT_MS,
      accept2xxOnly: true,
      signal,
    });
    if (page.status === 404 || page.status === 410) return { kind: "nothing" };
    const type = page.headers["content-type"] ?? "";
    if (page.status !== 200) return { kind: "failed" };
    if (!HTML.test(type)) return { kind: "nothing" };
    const metadata = readPageMetadata(decodeHtml(page.body, type));
    const more = await readOembed(fetch, metadata, page.url, signal);
    const summary = summarize({ ...more, ...defined(metadata) }, page.url);
    return summary ? { kind: "read", summary } : { kind: "nothing" };
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    const { unreachableHost } = error;
    return unreachableHost === undefined
      ? { kind: "failed" }
      : { kind: "failed", unreachableHost };
  }
}

/** The oEmbed document of a page that lacks something; nothing if there is none. */
async function readOembed(
  fetch: ReadPageDeps["fetch"],
  { oembedUrl, title, authorName, imageUrl }: PageMetadata,
  base: string,
  signal: AbortSignal,
): Promise<PageMetadata> {
  const isComplete = [title, authorName, imageUrl].every(
    (value) => value !== undefined,
  );
  const url = oembedUrl === undefined ? undefined : readWebUrl(oembedUrl, base);
  if (url === undefined || isComplete) return {};
  try {
    const { status, body } = await fetch.request({
      method: "GET",
      url,
      headers: { accept: "application/json" },
      maxBytes: MAX_OEMBED_BYTES,
      timeoutMs: OEMBED_TIMEOUT_MS,
      accept2xxOnly: true,
      signal,
    });
    return status === 200 ? parseOembed(body) : {};
  } catch (error) {
    if (error instanceof FetchRefused) return {};
    throw error;
  }
}

/** Of any type of oEmbed: its HTML is never used. */
function parseOembed(body: Uint8Array): PageMetadata {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return {};
  }
  if (typeof parsed !== "object" || parsed === null) return {};
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const textOf = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  };
  return {
    title: textOf("title"),
    siteName: textOf("provider_name"),
    authorName: textOf("author_name"),
    imageUrl: textOf("thumbnail_url"),
  };
}

function defined(metadata: PageMetadata): PageMetadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== undefined),
  );
}

/** @returns undefined for a page without a title */
function summarize(
  metadata: PageMetadata,
  base: string,
): PageSummary | undefined {
  const line = (text: string | undefined, maxLength: number): string | null =>
    plainLine(text ?? "", maxLength) || null;
  const title = line(metadata.title, MAX_TITLE);
  if (title === null) return undefined;
  const { imageUrl } = metadata;
  return {
    title,
    description: line(metadata.description, MAX_DESCRIPTION),
    siteName: line(metadata.siteName, MAX_NAME),
    authorName: line(metadata.authorName, MAX_NAME),
    imageUrl:
      imageUrl === undefined ? null : (readWebUrl(imageUrl, base) ?? null),
  };
}
