import { KithError } from "../../lib/errors.ts";
import { primaryLanguage, readLanguageTag } from "../../lib/language-tag.ts";

/** The choices of a user about a followed person. */
export type FollowChoices = {
  /** Are the person's reshares in the user's homes? */
  readonly reshares: boolean;
  /** Is the user notified of each new post? */
  readonly notify: boolean;
  /**
   * Primary language subtags of the posts that are in the user's homes, in alphabetical
   * order; empty for all languages.
   */
  readonly languages: readonly string[];
  /** Is the person on the user's profile, where everybody sees it? */
  readonly featured: boolean;
};

/** The choices until the user makes some. */
export const NO_CHOICES: FollowChoices = {
  reshares: true,
  notify: false,
  languages: [],
  featured: false,
};

/** So that no list grows without end. */
const MAX_LANGUAGES = 100;

/**
 * Parses the languages in which a user wants to read a person.
 * @throws {KithError} `bad_request` for a tag that is no language, and for too many
 */
export function readFollowLanguages(tags: readonly string[]): string[] {
  const given = tags.map((tag) => tag.trim()).filter((tag) => tag !== "");
  const read = given.map((text) => {
    const tag = readLanguageTag(text);
    if (tag === undefined)
      throw new KithError(
        "bad_request",
        "The parameter languages must list tags of BCP 47, such as en or pt-BR.",
      );
    return primaryLanguage(tag);
  });
  const unique = [...new Set(read)].sort();
  if (unique.length > MAX_LANGUAGES)
    throw new KithError(
      "bad_request",
      `The parameter languages must list at most ${MAX_LANGUAGES} languages.`,
    );
  return unique;
}

/**
 * Does the user want to read a post in this language?
 * @param language a tag; null for a post that does not say it
 */
export const isReadIn = (
  { languages }: FollowChoices,
  language: string | null,
): boolean =>
  languages.length === 0 ||
  language === null ||
  languages.includes(primaryLanguage(language));
