const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

/**
 * The average colour of a picture, as `#rrggbb`: the third to the sixth character of its
 * blurhash are that number in base 83 (woltapp/blurhash, Algorithm.md).
 * @returns undefined for text that is no blurhash
 */
export function averageColor(blurhash: string): string | undefined {
  let value = 0;
  for (const letter of blurhash.slice(2, 6)) {
    const digit = DIGITS.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 83 + digit;
  }
  if (blurhash.length < 6 || value > 0xff_ff_ff) return undefined;
  return `#${value.toString(16).padStart(6, "0")}`;
}
