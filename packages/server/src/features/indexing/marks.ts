/**
 * Marks stand in the index beside the words of a post. They begin with a sign that no word
 * contains, so that nobody can write one into a text or a query.
 */
export const MARKS = {
  /** Public and listed, by an author who lets everyone search. */
  open: "_p",
  /** The person may search it: its author, or someone here who took part. */
  finder: (personId: number): string => `_u${personId}`,
  author: (personId: number): string => `_a${personId}`,
  /** @param tag as returned by `foldTag` */
  tag: (tag: string): string =>
    `_t${tag.replace(/[^\p{L}\p{N}\p{M}_]/gu, (sign) => `_x${sign.codePointAt(0)?.toString(16) ?? ""}_`)}`,
  /** Of a script without spaces. */
  letter: (letter: string): string => `_c${letter}`,
  /** Things that a post can have. */
  thing: { media: "_hm", poll: "_hp", link: "_hl", event: "_he" },
  /** A part of the index finds what it has by its mark (see search-blocks-store.ts). */
  block: (block: number): string => `_b${block}`,
  octet: (octet: number): string => `_o${octet}`,
} as const;

export type Thing = keyof (typeof MARKS)["thing"];
