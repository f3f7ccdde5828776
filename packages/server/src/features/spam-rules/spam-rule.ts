import {
  hasShortLabels,
  normalHost,
  withParents,
} from "../../lib/host-name.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** From the mildest to the strictest. */
export const SPAM_ACTIONS = ["note", "report", "hold", "refuse"] as const;
export type SpamAction = (typeof SPAM_ACTIONS)[number];

/** The conditions of a rule, which must all hold; null for one that it does not ask. */
export type SpamConditions = {
  /** A word or phrase, not as a part of a longer word. */
  readonly phrase: string | null;
  /** A host in the text's links, or a parent domain of one. */
  readonly linkHost: string | null;
  /** At least this many people are mentioned. */
  readonly mentions: number | null;
  /** The author has been known here for fewer days. */
  readonly knownDays: number | null;
  /** Nobody here is a contact of the author, in either direction. */
  readonly noContact: boolean;
};

/** A rule for what other servers send, and for what new accounts here write. */
export type SpamRule = {
  readonly id: number;
  readonly name: string;
  readonly conditions: SpamConditions;
  readonly action: SpamAction;
  readonly isOn: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** Names and phrases, in code points. */
export const MAX_RULE_NAME = 100;
export const MAX_PHRASE = 200;
/** More people are not counted in one text. */
export const MAX_RULE_MENTIONS = 100;
export const MAX_KNOWN_DAYS = 3_650;
export const MAX_RULES = 100;

/** A text with everything that rules ask of it, computed once for all rules. */
export type JudgedText = {
  readonly folded: string;
  /** The hosts of its links, with their parent domains. */
  readonly linkHosts: ReadonlySet<string>;
  readonly mentions: number;
};

/** The properties of an author that rules ask for. */
export type JudgedAuthor = {
  readonly knownSince: Date;
  readonly hasContact: boolean;
};

const DAY_MS = 86_400_000;

/** Case, blanks, and forms of a letter that look alike do not matter. */
export function foldPhrase(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}

/** @param mentions the number of people mentioned in the text or beside it */
export function readJudged(text: string, mentions: number): JudgedText {
  return {
    folded: foldPhrase(text),
    linkHosts: new Set(linkHostsIn(text).flatMap(withParents)),
    mentions,
  };
}

/** Do all conditions on the text hold? They need no query. */
export function matchesText(
  { phrase, linkHost, mentions }: SpamConditions,
  text: JudgedText,
): boolean {
  return (
    (mentions === null || text.mentions >= mentions) &&
    (linkHost === null || text.linkHosts.has(linkHost)) &&
    (phrase === null || hasPhrase(text.folded, foldPhrase(phrase)))
  );
}

/** Does a rule need to know its author? */
export function asksAuthor({ knownDays, noContact }: SpamConditions): boolean {
  return knownDays !== null || noContact;
}

/** Do all conditions on the author hold? */
export function matchesAuthor(
  { knownDays, noContact }: SpamConditions,
  author: JudgedAuthor,
  at: Date,
): boolean {
  const knownMs = at.getTime() - author.knownSince.getTime();
  return (
    (knownDays === null || knownMs < knownDays * DAY_MS) &&
    !(noContact && author.hasContact)
  );
}

const IN_WORD = /[\p{L}\p{M}\p{N}_]/u;
const MAX_LINKS = 200;

/** A literal search: its cost is bounded by the lengths of the text and the phrase. */
function hasPhrase(text: string, phrase: string): boolean {
  const isBoundBefore = isInWord(phrase.slice(0, 2), 0);
  const isBoundAfter = isInWord(phrase.slice(-2), -1);
  for (let at = text.indexOf(phrase); at !== -1;) {
    const end = at + phrase.length;
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(end, end + 2);
    if (
      !(isBoundBefore && isInWord(before, -1)) &&
      !(isBoundAfter && isInWord(after, 0))
    )
      return true;
    at = text.indexOf(phrase, at + 1);
  }
  return false;
}

/** Is the first (0) or last (-1) code point of one or two units part of a word? */
function isInWord(units: string, which: 0 | -1): boolean {
  return IN_WORD.test([...units].at(which) ?? "");
}

// Where a text names the authority of a URL, as people and Markdown write it.
const AUTHORITY = /https?:\/\/([^\s/?#\\<>()"'[\]]{1,255})/gi;

/** The hosts that a text links, in any spelling, also in the targets of Markdown's links. */
export function linkHostsIn(text: string): string[] {
  const hosts = new Set<string>();
  for (const [, authority = ""] of text.matchAll(AUTHORITY)) {
    const url = `https://${authority.slice(authority.lastIndexOf("@") + 1)}`;
    const host = hasShortLabels(url) ? normalHost(url) : undefined;
    if (host !== undefined) hosts.add(host);
    if (hosts.size >= MAX_LINKS) break;
  }
  return [...hosts];
}
