/**
 * The characters of tags; hyphens as diaspora* counts them, the Armenian ones
 * included.
 */
export const TAG_CHARACTER = String.raw`[\p{L}\p{M}\p{N}\p{Pc}\u055b\u055c\u055e\u058a-]`;

/** In UTF-16 units. */
export const MAX_TAG_LENGTH = 255;

const TAG = new RegExp(`^(?:<3|${TAG_CHARACTER}{1,${MAX_TAG_LENGTH}})$`, "u");

/**
 * The form in which tags are stored, compared and linked: without regard to
 * case and Unicode encoding (NFKC).
 * @param text a tag without its `#`, as written
 */
export function foldTag(text: string): string {
  const lower = text.toLowerCase();
  const folded = text.normalize("NFKC").toLowerCase().normalize("NFKC");
  // Some ligatures become several words, and some fractions contain a sign.
  return TAG.test(folded) ? folded : lower;
}

/** Parses a tag with or without `#`. @returns undefined for an invalid one */
export function parseTag(text: string): string | undefined {
  const bare = text.trim().replace(/^#/, "");
  if (!TAG.test(bare)) return undefined;
  const tag = foldTag(bare);
  return TAG.test(tag) ? tag : undefined;
}
