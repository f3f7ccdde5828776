import { isWithinLength } from "./values.ts";
import { replaceNonXmlCharacters } from "./xml/xml-write.ts";

const MAX_PART = 32;

/** The two names by which diaspora* servers show a person; `lastName` may be empty. */
export interface SplitName {
  readonly firstName: string;
  readonly lastName: string;
}

/**
 * Splits a display name into the two that diaspora* has: at most 32 code points each, without `;`. It is split at the first
 * blank that leaves both parts short enough, else as late as possible; what does not fit is cut off.
 * @see diaspora* federation protocol, hCard
 */
export function splitName(fullName: string): SplitName {
  const words = replaceNonXmlCharacters(fullName)
    .replaceAll(";", " ")
    .trim()
    // Neither name has room for more words; whatever is longer is cut off.
    .split(/\s+/u, 2 * MAX_PART + 2);
  let best: SplitName | undefined;
  for (let count = 1; count <= words.length; count += 1) {
    const firstName = words.slice(0, count).join(" ");
    if (!isWithinLength(firstName, MAX_PART)) break;
    const lastName = words.slice(count).join(" ");
    best = { firstName, lastName };
    if (isWithinLength(lastName, MAX_PART)) break;
  }
  best ??= splitLongWord(words.join(" "));
  return { ...best, lastName: cut(best.lastName) };
}

function splitLongWord(name: string): SplitName {
  const firstName = cut(name);
  return { firstName, lastName: name.slice(firstName.length).trim() };
}

function cut(text: string): string {
  // Twice the length in UTF-16 units holds all that can be kept; no need to take a longer text apart.
  return [...text.slice(0, MAX_PART * 2)].slice(0, MAX_PART).join("").trim();
}
