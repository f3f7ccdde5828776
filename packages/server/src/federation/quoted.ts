import type { Post } from "../features/posts/index.ts";

/** Where people read what is quoted. */
export function findQuotedPage(
  baseUrl: string,
  { guid, url, uri }: Pick<Post, "guid" | "url" | "uri">,
): string {
  return url ?? uri ?? `${baseUrl}/posts/${encodeURIComponent(guid)}`;
}

/** A post's text with a link to what it quotes, for readers who are shown no quote. Markdown. */
export function withQuoted(text: string, page: string | null): string {
  if (page === null) return text;
  const link = page.replace(/[<>\s]/g, encodeURIComponent);
  return text.includes(link) ? text : `${text}\n\nRE: <${link}>`;
}
