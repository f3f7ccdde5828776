import {
  buildAudience,
  isJsonArray,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { editedAtOf } from "../../../features/edit-times.ts";
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

/** The people who may quote a local person's public post or comment (FEP-044f): for nobody else, the author is named. */
export function quotePolicyOf(
  uris: Uris,
  author: Person,
  { quotableBy }: Pick<Post, "quotableBy">,
): { canQuote: string[] } {
  switch (quotableBy) {
    case "everyone":
      return { canQuote: [PUBLIC] };
    case "followers":
      return { canQuote: [followersOf(uris, author)] };
    case "nobody":
      return { canQuote: [uris.actor(usernameOf(author))] };
  }
}

/**
 * Addresses a local person's public object. For an unlisted one the Public collection is in `cc`.
 */
export function publicAddress(
  uris: Uris,
  author: Person,
  others: readonly string[],
  isListed = true,
): Address {
  const followersUri = followersOf(uris, author);
  const scope = isListed ? "public" : "unlisted";
  return buildAudience({ scope, followersUri, addressed: [...others] });
}

/** The parts of a post that decide its addresses. */
export type PostScope = Pick<Post, "public" | "listed" | "limitedTo">;

/**
 * Addresses a local person's post. One to followers names their collection, which hides who they
 * are and gives the post the scope that peers show; any other limited post names its readers.
 * @param mentioned actor ids
 * @param readers actor ids
 * @see protocol sections 6.1 and 6.2
 */
export function addressOfPost(
  uris: Uris,
  author: Person,
  post: PostScope,
  mentioned: readonly string[],
  readers: readonly string[],
): Address {
  if (post.public) return publicAddress(uris, author, mentioned, post.listed);
  const followersUri = followersOf(uris, author);
  return post.limitedTo === "followers"
    ? buildAudience({
        scope: "followers",
        followersUri,
        addressed: [...mentioned],
      })
    : { to: [...readers], cc: [] };
}

/** Is the document addressed to the followers of its author, and not to everyone? */
export function isForFollowers(document: JsonObject): boolean {
  const { actor, attributedTo = actor, to } = document;
  return (
    typeof attributedTo === "string" &&
    isJsonArray(to) &&
    to.includes(`${attributedTo}/followers`) &&
    !isForEveryone(document)
  );
}

export function isForEveryone({ to, cc }: JsonObject): boolean {
  return [to, cc].some((those) => isJsonArray(those) && those.includes(PUBLIC));
}

function followersOf(uris: Uris, author: Person): string {
  return `${uris.actor(usernameOf(author))}/followers`;
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

type Tag = { type: "Mention"; name: string; href: string };

/**
 * Tags the participants of a private conversation: Mastodon makes it a direct message where
 * everyone is tagged.
 */
export function tagParticipants(
  uris: Uris,
  participants: readonly Person[],
  recipients: readonly string[],
): Tag[] {
  return participants.flatMap((person) => {
    const href = uris.ofPerson(person);
    return href !== null && recipients.includes(href)
      ? [{ type: "Mention", name: `@${person.handle}`, href }]
      : [];
  });
}

/** Each actor is tagged once. */
export function joinTags<T extends { readonly href: string }>(
  ...lists: readonly (readonly T[])[]
): T[] {
  const all = lists.flat();
  return all.filter(
    ({ href }, at) => all.findIndex((tag) => tag.href === href) === at,
  );
}

/** Peers compare it with `published`, and take any object that has it for an edited one. */
export function updatedOf(edited: Parameters<typeof editedAtOf>[0]): {
  updated?: string;
} {
  const updated = editedAtOf(edited);
  return updated === undefined ? {} : { updated };
}
