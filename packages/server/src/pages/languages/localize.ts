import { LANGUAGES, type Language } from "../../lib/messages/messages.ts";
import { currentLanguage } from "./reader.ts";

/**
 * Combines the same catalogue in each language into one, whose texts are in the
 * language of the request that is being answered.
 */
export function localize<Catalogue extends object>(
  catalogues: Readonly<Record<Language, Catalogue>>,
): Catalogue {
  const shown = {};
  for (const [name, english] of Object.entries(catalogues.en)) {
    const inEach = Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        (catalogues[language] as Readonly<Record<string, unknown>>)[name],
      ]),
    );
    Object.defineProperty(
      shown,
      name,
      isCatalogue(english)
        ? {
            enumerable: true,
            value: localize(inEach as Record<Language, object>),
          }
        : { enumerable: true, get: () => inEach[currentLanguage()] },
    );
  }
  return shown as Catalogue;
}

function isCatalogue(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
