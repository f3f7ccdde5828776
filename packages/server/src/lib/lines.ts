import { storableText } from "./well-formed.ts";

/** Joins the trimmed, non-empty lines of a text. */
export function joinLines(text: string, between: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(between);
}

/** Removes a repeated character from the end. @param sign one character */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}

/**
 * Remote text as one line: no control characters, nothing that turns the direction of what
 * follows.
 * @param maxLength in code points; a longer text ends with an ellipsis
 */
export function plainLine(text: string, maxLength: number): string {
  // Some characters are removed or joined: a bound for the work, not for the result.
  const line = storableText(text.slice(0, 16 * maxLength))
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const letters = [...line];
  if (letters.length <= maxLength) return line;
  return `${letters
    .slice(0, maxLength - 1)
    .join("")
    .trimEnd()}…`;
}
