import { KithError } from "../../lib/errors.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";

/**
 * @param name of the parameter
 * @returns null if absent
 * @throws {KithError} `bad_request`
 */
export function checkLanguage(tag = "", name = "language"): string | null {
  if (tag.trim() === "") return null;
  const language = readLanguageTag(tag.trim());
  if (language === undefined)
    throw new KithError(
      "bad_request",
      `The ${name} must be a tag of BCP 47, such as en or pt-BR.`,
    );
  return language;
}

/** @returns undefined for the author's usual one. @throws {KithError} `bad_request` */
export const readPostLanguage = (tag: string | undefined) =>
  tag === undefined ? undefined : checkLanguage(tag);
