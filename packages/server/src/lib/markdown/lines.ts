/** The lines of a text as one, without the blanks around each and without empty ones. */
export function joinLines(text: string, between: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(between);
}

/** Without what stands at the end again and again. @param sign one character */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
