/** What a tag is made of; hyphens as diaspora* counts them, the Armenian ones included. */
export const TAG_CHARACTER = String.raw`[\p{L}\p{M}\p{N}\p{Pc}\u055b\u055c\u055e\u058a-]`;

/** In UTF-16 units. */
export const MAX_TAG_LENGTH = 255;

const TAG = new RegExp(`^(?:<3|${TAG_CHARACTER}{1,${MAX_TAG_LENGTH}})$`, "u");

/**
 * The form in which tags are stored, compared and linked: without regard to case
 * and to how a letter is encoded (NFKC).
 * @param text a tag without its `#`, as somebody wrote it
 */
export function foldTag(text: string): string {
  const lower = text.toLowerCase();
  const folded = text.normalize("NFKC").toLowerCase().normalize("NFKC");
  // Some ligatures become several words, and some fractions contain a sign.
  return TAG.test(folded) ? folded : lower;
}

/** Reads a tag as a program names it, with its `#` or without. @returns undefined for what is none */
export function parseTag(text: string): string | undefined {
  const bare = text.trim().replace(/^#/, "");
  if (!TAG.test(bare)) return undefined;
  const tag = foldTag(bare);
  return TAG.test(tag) ? tag : undefined;
}
