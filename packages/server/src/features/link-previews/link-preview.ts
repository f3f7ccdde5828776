import { isGuid } from "../../lib/guids.ts";

/** The summary of a linked page, by itself, in plain text of one line each. */
export type PageSummary = {
  readonly title: string;
  readonly description: string | null;
  readonly siteName: string | null;
  readonly authorName: string | null;
  /** The page's own address of its picture. */
  readonly imageUrl: string | null;
};

/** A linked page as shown below a post. */
export type LinkPreview = PageSummary & { readonly url: string };

/** An index of PostgreSQL takes some 2,700 bytes. */
export const MAX_URL_LENGTH = 2_000;

/**
 * Reads an address of a web page or a picture.
 * @param base to which it may be relative
 * @returns its one spelling, without a fragment; undefined for any other text
 */
export function readWebUrl(text: string, base?: string): string | undefined {
  const url = URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

/** Is this a page of this server? These are never fetched. */
export function isHere(url: string, baseUrl: string): boolean {
  return new URL(url).origin === new URL(baseUrl).origin;
}

/** The Guid of the post of this server to which the address leads. */
export function guidOfPost(url: string, baseUrl: string): string | undefined {
  if (!isHere(url, baseUrl)) return undefined;
  const guid = /^\/posts\/([^/]+)$/.exec(new URL(url).pathname)?.[1];
  return guid !== undefined && isGuid(guid) ? guid : undefined;
}
