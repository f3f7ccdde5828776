// The font of the cards is a part of the program, so that they look the same everywhere. It has
// no letters of some scripts, and few pictures.

const COVERED =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]/u;
const PICTURES =
  /(?![#*\d©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|[\u200d\ufe0e\ufe0f\u20e3\u{e0020}-\u{e007f}]/gu;
/** Signs that turn the direction of what stands beside them. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\ufeff]/gu;
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
const SPACES = /[^\S\n]+/g;

/**
 * The text without the signs that the font does not have.
 * @returns undefined if it is in a script that the font does not have
 */
export function drawable(text: string): string | undefined {
  const words = text
    .normalize("NFC")
    .split("\n")
    .map((line) => line.replace(CONTROLS, " "))
    .join("\n")
    .replace(PICTURES, "")
    .replace(TURNS, "")
    .replace(PILED_MARKS, "$1")
    .replace(SPACES, " ")
    .trim();
  return [...words].every((sign) => COVERED.test(sign)) ? words : undefined;
}
