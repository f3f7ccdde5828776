import type { SearchableContent } from "./post-content-queries.ts";
import { MARKS } from "./marks.ts";
import { hasLink, MAX_WORDS, plainText, readWords } from "../../lib/words.ts";

/** The words of a post in the index. */
export type PostWords = {
  /** In order, so that phrases are found. */
  readonly words: readonly string[];
  readonly marks: readonly string[];
};

/** @returns undefined for a post that nobody here may search: it is not indexed */
export function wordsOfPost(content: SearchableContent): PostWords | undefined {
  const { isOpen, finders, personId, texts, tags } = content;
  if (!isOpen && finders.length === 0) return undefined;
  const words: string[] = [];
  const letters = new Set<string>();
  for (const text of texts) {
    if (text === "" || words.length >= MAX_WORDS) continue;
    const read = readWords(plainText(text), MAX_WORDS - words.length);
    words.push(...read.words);
    for (const letter of read.letters) letters.add(letter);
  }
  const marks = [
    ...(isOpen ? [MARKS.open] : []),
    ...finders.map(MARKS.finder),
    MARKS.author(personId),
    ...tags.map(MARKS.tag),
    ...(content.hasMedia ? [MARKS.thing.media] : []),
    ...(content.hasPoll ? [MARKS.thing.poll] : []),
    ...(content.hasEvent ? [MARKS.thing.event] : []),
    ...(texts.some(hasLink) ? [MARKS.thing.link] : []),
    ...[...letters].map(MARKS.letter),
  ];
  return { words, marks };
}
