import { buildAudience, PUBLIC } from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Uris } from "../records/uris.ts";

/** The context that every renderer needs. */
export type RenderContext = {
  readonly uris: Uris;
  /** `host[:port]` of the local handles. */
  readonly handleHost: string;
  readonly now: Date;
};

/** The addresses of a document. */
type Address = { readonly to: string[]; readonly cc: string[] };

/** A long Note contains both its text and its HTML; peers refuse bodies over 64 KiB. */
const MAX_SOURCE_LENGTH = 20_000;
/** The same limit for the copy of the HTML by language. */
const MAX_HTML_TWICE = 10_000;

/** Everyone may quote what is public (FEP-044f). */
export const MAY_BE_QUOTED = { canQuote: [PUBLIC] };

/**
 * Addresses a local person's public object. For an unlisted one the Public collection is in `cc`.
 */
export function publicAddress(
  uris: Uris,
  author: Person,
  others: readonly string[],
  isListed = true,
): Address {
  const followersUri = `${uris.actor(usernameOf(author))}/followers`;
  const scope = isListed ? "public" : "unlisted";
  return buildAudience({ scope, followersUri, addressed: [...others] });
}

/** It repeats the whole HTML, so a long text goes without it. */
export function languageOf(
  { language }: Pick<Post, "language">,
  html: string,
): { language?: string } {
  return language === null || html.length > MAX_HTML_TWICE ? {} : { language };
}

export function sourceOf(text: string): { source?: string } {
  return text.length > MAX_SOURCE_LENGTH ? {} : { source: text };
}
