/** The length that BCP 47 requires programs to support (§4.4.1). */
const MAX_LENGTH = 35;

/**
 * Parses a language tag of BCP 47 into its canonical form, such as `pt-BR`.
 * @returns undefined for an invalid one, and for `und`
 */
export function readLanguageTag(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    return tag === "und" ? undefined : tag;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The language of a valid tag without its script, region and variants: `pt` for `pt-BR`. */
export function primaryLanguage(tag: string): string {
  return new Intl.Locale(tag).language;
}
