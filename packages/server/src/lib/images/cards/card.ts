/** A picture that shows the beginning of a text to people who see a link to it. */
export type Card = {
  /** In bold: a name or a title; cut to one line. */
  readonly title: string;
  /** Below it, in small letters; cut to one line. */
  readonly byline: string;
  /** The text; lines that have no room are cut. */
  readonly text: string;
  /** At the foot: on the left, and on the right. */
  readonly foot: readonly [string, string];
  /** A leaf of a calendar. */
  readonly leaf?: { readonly month: string; readonly day: string };
};

/** Pixels; the size that sites expect of `og:image`. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

export type CardResponse =
  | { readonly kind: "card"; readonly png: Uint8Array }
  | { readonly kind: "broken"; readonly reason: string };
