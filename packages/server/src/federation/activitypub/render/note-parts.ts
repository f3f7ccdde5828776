import { buildAudience, PUBLIC } from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Uris } from "../records/uris.ts";

/** What every renderer knows beside what it renders. */
export type RenderContext = {
  readonly uris: Uris;
  /** `host[:port]` of the handles here. */
  readonly handleHost: string;
  readonly now: Date;
};

/** Whom a document is addressed to. */
type Address = { readonly to: string[]; readonly cc: string[] };

/** The text and its HTML stand twice in a long Note; peers refuse bodies over 64 KiB. */
const MAX_SOURCE_LENGTH = 20_000;
/** The same of what stands there in its language besides. */
const MAX_HTML_TWICE = 10_000;

/** Everybody gets leave to quote what is public (FEP-044f). */
export const MAY_BE_QUOTED = { canQuote: [PUBLIC] };

/** To whom a public thing of a person here goes. What is not listed names everybody second. */
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

/** It stands beside the whole HTML once more, so that a long text goes without. */
export function languageOf(
  { language }: Pick<Post, "language">,
  html: string,
): { language?: string } {
  return language === null || html.length > MAX_HTML_TWICE ? {} : { language };
}

export function sourceOf(text: string): { source?: string } {
  return text.length > MAX_SOURCE_LENGTH ? {} : { source: text };
}
