/** Deeper than any value that a route reads. */
export const MAX_NESTING = 32;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const [LIST, END_OF_LIST] = ["[".charCodeAt(0), "]".charCodeAt(0)];
const [OBJECT, END_OF_OBJECT] = ["{".charCodeAt(0), "}".charCodeAt(0)];

/**
 * Whether lists and objects are nested more than {@link MAX_NESTING} deep. A body within its
 * limit may hold half a million of them, which would be parsed, and collected as garbage, for a
 * request that is refused.
 * @param text JSON, valid or not
 */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === END_OF_LIST || code === END_OF_OBJECT) depth -= 1;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

/** @returns the place of the closing quote; the end of the text where there is none */
function endOfString(text: string, opening: number): number {
  let end = text.indexOf('"', opening + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
