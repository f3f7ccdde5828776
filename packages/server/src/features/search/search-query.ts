import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { isLetter, readWords } from "../../lib/words.ts";
import { MARKS, type Thing } from "../indexing/index.ts";

/** Words that must follow each other. */
export type Phrase = readonly string[];

/** A search as it was typed, of which every part narrows it. */
export type SearchQuery = {
  readonly phrases: readonly Phrase[];
  readonly tags: readonly string[];
  /** Handles, or `me`. */
  readonly from: readonly string[];
  readonly has: readonly Thing[];
  /** Without any of these. */
  readonly not: {
    readonly phrases: readonly Phrase[];
    readonly tags: readonly string[];
    readonly from: readonly string[];
    readonly has: readonly Thing[];
  };
  /** The first moment that is too late. */
  readonly before?: Date;
  readonly after?: Date;
  readonly isPublic: boolean;
  /** Only what the viewer wrote, received, or took part in. */
  readonly isLibrary: boolean;
  /** Names of the viewer's aspects. */
  readonly aspects: readonly string[];
};

/** In code points. */
export const MAX_QUERY_LENGTH = 1_000;
const MAX_TERMS = 20;
const MAX_WORDS_OF_QUERY = 50;

const THING_NAMES: Readonly<Record<string, Thing>> = {
  photo: "media",
  photos: "media",
  image: "media",
  images: "media",
  picture: "media",
  pictures: "media",
  media: "media",
  poll: "poll",
  link: "link",
  event: "event",
};

/** An optional minus, an optional operator, and a phrase in quotation marks or a word. */
const TERM =
  /(?<minus>-?)(?:(?<name>from|has|before|after|in):(?=\S))?(?:["“„](?<quoted>[^"“”„]*)(?:["”“]|$)|(?<plain>\S+))/giu;

type Building = {
  -readonly [
    K in keyof SearchQuery
  ]: SearchQuery[K] extends readonly (infer T)[] ? T[] : SearchQuery[K];
} & {
  not: { phrases: Phrase[]; tags: string[]; from: string[]; has: Thing[] };
};

/**
 * Reads what was typed. Operators that there are not (`foo:bar`) are words; one with a value
 * that means nothing is refused, because to ignore it would find too much.
 * @throws {KithError} `bad_request`, `empty_string`
 */
export function parseSearchQuery(text: string): SearchQuery {
  if (text.trim() === "")
    throw new KithError("empty_string", "There is nothing to search for.");
  if ([...text].length > MAX_QUERY_LENGTH)
    throw new KithError(
      "bad_request",
      `A search has at most ${MAX_QUERY_LENGTH} characters.`,
    );
  const query: Building = {
    ...{ phrases: [], tags: [], from: [], has: [], aspects: [] },
    not: { phrases: [], tags: [], from: [], has: [] },
    ...{ isPublic: false, isLibrary: false },
  };
  const terms = [...text.matchAll(TERM)];
  if (terms.length > MAX_TERMS)
    throw new KithError(
      "bad_request",
      `A search has at most ${MAX_TERMS} words and conditions.`,
    );
  for (const { groups = {} } of terms) {
    const value = groups["quoted"] ?? groups["plain"] ?? "";
    const isNot = groups["minus"] === "-";
    const name = groups["name"]?.toLowerCase();
    if (name === undefined)
      addWords(query, value, isNot, groups["quoted"] !== undefined);
    else addCondition(query, name, value, isNot);
  }
  return checked(query);
}

function checked(query: Building): SearchQuery {
  const words = [...query.phrases, ...query.not.phrases].flat();
  if (words.length > MAX_WORDS_OF_QUERY)
    throw new KithError(
      "bad_request",
      `A search has at most ${MAX_WORDS_OF_QUERY} words.`,
    );
  const { before, after, tags, from, has, aspects, not } = query;
  const isEmpty =
    [query.phrases, tags, from, has, aspects].every((it) => it.length === 0) &&
    Object.values(not).every((it) => it.length === 0) &&
    !query.isPublic &&
    !query.isLibrary &&
    before === undefined &&
    after === undefined;
  if (isEmpty)
    throw new KithError("bad_request", "The search contains no words.");
  return query;
}

function addWords(
  query: Building,
  value: string,
  isNot: boolean,
  isQuoted: boolean,
): void {
  const to = isNot ? query.not : query;
  const tag = isQuoted || !value.startsWith("#") ? undefined : parseTag(value);
  if (tag !== undefined) {
    to.tags.push(tag);
    return;
  }
  const { words } = readWords(value, MAX_WORDS_OF_QUERY + 1);
  const [word] = words;
  if (word === undefined) return;
  to.phrases.push(
    words.length === 1 && isLetter(word) ? [MARKS.letter(word)] : words,
  );
}

function addCondition(
  query: Building,
  name: string,
  value: string,
  isNot: boolean,
): void {
  switch (name) {
    case "from":
      (isNot ? query.not : query).from.push(value.toLowerCase());
      return;
    case "has":
      (isNot ? query.not : query).has.push(readThing(value));
      return;
    case "in":
      refuseNot(name, isNot);
      addPlace(query, value);
      return;
    case "before":
    case "after":
      refuseNot(name, isNot);
      query[name] = readDay(name, value, query[name]);
  }
}

function refuseNot(name: string, isNot: boolean): void {
  if (isNot)
    throw new KithError(
      "bad_request",
      `A minus before ${name}: has no meaning.`,
    );
}

function readThing(value: string): Thing {
  const name = value.toLowerCase();
  const thing = Object.hasOwn(THING_NAMES, name)
    ? THING_NAMES[name]
    : undefined;
  if (thing === undefined)
    throw new KithError(
      "bad_request",
      "After has: comes one of media, photo, poll, link and event.",
    );
  return thing;
}

function addPlace(query: Building, value: string): void {
  switch (value.toLowerCase()) {
    case "all":
      return;
    case "public":
      query.isPublic = true;
      return;
    case "library":
    case "mine":
      query.isLibrary = true;
      return;
    default:
      query.aspects.push(value);
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** Days are those of UTC, and neither day itself is found. */
function readDay(
  name: "before" | "after",
  value: string,
  known: Date | undefined,
): Date {
  const time = DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  // 30 February is another day to some parsers.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value)
    throw new KithError(
      "bad_request",
      `After ${name}: comes a day such as 2026-12-31.`,
    );
  const moment = name === "after" ? time + DAY_MS : time;
  if (known === undefined) return new Date(moment);
  const tighter = name === "after" ? Math.max : Math.min;
  return new Date(tighter(known.getTime(), moment));
}
