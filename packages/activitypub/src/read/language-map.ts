import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { textOf } from "../values.ts";

/** Texts by BCP 47 tag; `und` for an unknown language. */
export type LanguageMap = { [language: string]: string };

const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
const MAX_LANGUAGES = 100;
/** Invalid members count, too. */
const MAX_LOOKED_AT = 1000;

/**
 * Reads `contentMap`, `nameMap` or `summaryMap` (Activity Vocabulary §4.7): members with a language tag and a text, in
 * their order, at most 100.
 * @returns undefined when there are none
 */
export function readLanguageMap(
  value: JsonValue | undefined,
): LanguageMap | undefined {
  if (!isJsonObject(value)) return undefined;
  const map: LanguageMap = {};
  let count = 0;
  let looked = 0;
  for (const language in value) {
    looked += 1;
    if (count === MAX_LANGUAGES || looked > MAX_LOOKED_AT) break;
    const text = LANGUAGE.test(language) ? textOf(value[language]) : undefined;
    if (text === undefined) continue;
    map[language] = text;
    count += 1;
  }
  return count === 0 ? undefined : map;
}

/** The first text of a map, for use when the plain member is missing. */
export function firstText(map: LanguageMap | undefined): string | undefined {
  return map === undefined ? undefined : Object.values(map)[0];
}

/**
 * The language of a text that is also in a map: Mastodon takes the first key, GoToSocial the key whose text equals the
 * content; they differ only for old posts.
 */
export function languageOf(
  map: LanguageMap | undefined,
  text: string,
): string | undefined {
  if (map === undefined) return undefined;
  const languages = Object.keys(map);
  const found = languages.find((key) => map[key] === text) ?? languages[0];
  return found === "und" ? undefined : found;
}

/** Writes a text under its language, followed by its translations. */
export function buildLanguageMap(
  language: string | undefined,
  text: string,
  translations: LanguageMap = {},
): JsonObject | undefined {
  const own = language === undefined || text === "" ? {} : { [language]: text };
  const map = { ...own, ...translations, ...own };
  return Object.keys(map).length === 0 ? undefined : map;
}
