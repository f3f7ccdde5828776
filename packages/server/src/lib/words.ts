/** Of a text; the rest is not found by its words. */
export const MAX_WORDS = 4_000;
/** In UTF-16 units; longer words are found by their beginning. */
export const MAX_WORD_LENGTH = 64;
/** In UTF-16 units: more than the longest text that people can write. */
const MAX_TEXT = 100_000;

/** Scripts that put no spaces between words. */
const UNSPACED = String.raw`(?=[\p{L}\p{N}\p{M}])[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー々]`;
const RUN = new RegExp(
  String.raw`(?:${UNSPACED})+|(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+`,
  "gu",
);
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, "u");

/** Latin, Greek and Cyrillic accents, which many people leave out. */
const ACCENT = /[\u0300-\u036f]/g;
const LIGATURES: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
};
const LIGATURE = /[ßæœøłđı]/g;

/** Folds a text to the form in which words are compared: without case and accents. */
export function foldText(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .normalize("NFKD")
    .replace(ACCENT, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(LIGATURE, (letter) => LIGATURES[letter] ?? letter);
}

/** The words of a text, and the letters that are found alone. */
export type Words = {
  /** In order. Scripts without spaces are cut into overlapping pairs of letters. */
  readonly words: readonly string[];
  /** The letters of scripts without spaces, each once. */
  readonly letters: ReadonlySet<string>;
};

/**
 * Cuts a text into words, on every database the same way: letters, marks and digits of any
 * script. 東京都 becomes 東京 and 京都, so that any part of it is found as neighbouring pairs.
 */
export function readWords(text: string, max = MAX_WORDS): Words {
  const words: string[] = [];
  const letters = new Set<string>();
  for (const [run] of foldText(text).matchAll(RUN)) {
    if (words.length >= max) break;
    if (!STARTS_UNSPACED.test(run)) {
      words.push(cut(run));
      continue;
    }
    const signs = [...run].slice(0, max - words.length);
    for (const sign of signs) letters.add(sign);
    if (signs.length < 2) words.push(...signs);
    for (let at = 1; at < signs.length; at += 1)
      words.push(`${signs[at - 1] ?? ""}${signs[at] ?? ""}`);
  }
  return { words, letters };
}

/** Never within a surrogate pair. */
function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH
    ? word
    : word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, "");
}

/** Is it one letter of a script without spaces? Such a letter is found alone. */
export function isLetter(word: string): boolean {
  return [...word].length === 1 && STARTS_UNSPACED.test(word);
}

/** Targets of links are not part of what people read. */
const LINK_TARGET = /\]\([^()\s]{1,2048}/g;
const SCHEME = /\bhttps?:\/\//gi;

/** The text of Markdown as far as words go: signs are no words anyway. */
export function plainText(markdown: string): string {
  return markdown.replace(LINK_TARGET, "] ").replace(SCHEME, " ");
}

/** Does the text contain a link to the web? */
export function hasLink(markdown: string): boolean {
  return /\bhttps?:\/\/[^\s/]/i.test(markdown);
}
