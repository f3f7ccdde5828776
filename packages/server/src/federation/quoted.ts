import type { Post } from "../features/posts/index.ts";

/** The page of a quoted post for people. */
export function findQuotedPage(
  baseUrl: string,
  { guid, url, uri }: Pick<Post, "guid" | "url" | "uri">,
): string {
  return url ?? uri ?? `${baseUrl}/posts/${encodeURIComponent(guid)}`;
}

/**
 * Appends a link to the quoted post, for readers whose software shows no
 * quotes. Markdown.
 */
export function withQuoted(text: string, page: string | null): string {
  if (page === null) return text;
  const link = page.replace(/[<>\s]/g, encodeURIComponent);
  return text.includes(link) ? text : `${text}\n\nRE: <${link}>`;
}
