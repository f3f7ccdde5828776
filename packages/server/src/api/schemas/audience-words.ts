/** The words for audiences, in the order in which they narrow. */
export const AUDIENCE_WORDS = [
  "everyone",
  "unlisted",
  "followers",
  "all_aspects",
  "aspects",
  "people",
  "self",
] as const;

/** The same without those that no later post can mean. */
export const DEFAULT_AUDIENCE_WORDS = [
  "everyone",
  "unlisted",
  "followers",
  "all_aspects",
  "aspects",
  "self",
] as const;
