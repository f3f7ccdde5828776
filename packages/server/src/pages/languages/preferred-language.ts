import { isLanguage, type Language } from "../../lib/messages/messages.ts";

/**
 * The language that a browser likes best among those of the pages (RFC 9110,
 * section 12.5.4; of a range such as `de-AT` only the language counts).
 * @param usual where the browser does not decide
 */
export function preferredLanguage(
  header: string | undefined,
  usual: Language = "en",
): Language {
  const wanted = (header ?? "")
    .split(",")
    .map(readRange)
    .filter(({ quality }) => quality > 0)
    // Equal ones stay in their order.
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wanted) {
    if (isLanguage(language)) return language;
    if (language === "*") return usual;
  }
  return usual;
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
