import { createHash } from "node:crypto";
import { CARD_SIZE, type Card } from "../../lib/images/cards/card.ts";
import { drawable } from "../../lib/images/cards/card-text.ts";
import type { PreviewImage } from "../kit/layout.ts";
import { currentLanguage, currentServerName } from "../languages/reader.ts";

/** The words of a card, in any script. */
export type CardWords = Pick<Card, "leaf" | "text"> & {
  readonly title: string;
  /** In the letters of every font, such as a handle. */
  readonly otherwise: string;
  readonly byline: string;
  readonly date: string;
};

/** A card with those of the words that can be drawn. */
export function cardOf(words: CardWords): Card {
  const { title, otherwise, byline, text, date, leaf } = words;
  const shown = drawable(title) || otherwise;
  const below = drawable(byline) || otherwise;
  return {
    title: shown,
    byline: below === shown ? "" : below,
    text: drawable(text) ?? "",
    foot: [drawable(currentServerName()) || "Kith", date],
    ...(leaf && { leaf }),
  };
}

/** The words of a card. */
const altOf = ({ title, text }: Card): string =>
  text === "" ? title : `${title}: ${text.replaceAll("\n", " ")}`;

/**
 * The picture of a page that has none of its own. Its address changes with its words.
 * @param page the address of the page
 */
export function cardImage(page: string, card: Card): PreviewImage {
  const hash = createHash("sha256").update(JSON.stringify(card)).digest("hex");
  const query = `lang=${currentLanguage()}&v=${hash.slice(0, 12)}`;
  const { width, height } = CARD_SIZE;
  return {
    ...{ url: `${page}/card.png?${query}`, alt: altOf(card), width, height },
    isLarge: true,
  };
}
