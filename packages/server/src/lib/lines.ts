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
