import { isLanguage, type Language } from "../../lib/messages/messages.ts";

const DEFAULT: Language = "en";

/**
 * The language that a browser likes best among those of the pages (RFC 9110,
 * section 12.5.4; of a range such as `de-AT` only the language counts).
 */
export function preferredLanguage(header: string | undefined): Language {
  const wanted = (header ?? "")
    .split(",")
    .map(readRange)
    .filter(({ quality }) => quality > 0)
    // Equal ones stay in their order.
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wanted) {
    if (isLanguage(language)) return language;
    if (language === "*") return DEFAULT;
  }
  return DEFAULT;
}

function readRange(text: string): { language: string; quality: number } {
  const [range = "", ...parameters] = text
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const given = parameters.find((name) => name.startsWith("q="));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  const [language = ""] = range.split("-");
  return { language, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
