/** The longest that BCP 47 asks programs to keep (§4.4.1). */
const MAX_LENGTH = 35;

/** A language tag of BCP 47 in its one spelling, such as `pt-BR`. @returns undefined for what is none, and for `und` */
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
