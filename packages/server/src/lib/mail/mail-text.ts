/** Characters that reorder, hide or end a line; joiners stay, because emoji need them. */
const UNSAFE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00AD\u180E\u200B\u2060-\u206F\uFEFF\uFFF9-\uFFFB]+/gu;

/**
 * A text of others as one line of a mail, in a header or in the body: without line ends, control
 * characters and changes of direction.
 * @param most its length in code points, beyond which it is cut
 */
export function inMailLine(text: string, most = 200): string {
  const line = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replaceAll(UNSAFE, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > most
    ? `${characters.slice(0, most - 1).join("")}…`
    : line;
}
