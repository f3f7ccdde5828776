import { isWithinLength } from "./values.ts";
import { replaceNonXmlCharacters } from "./xml/xml-write.ts";

const MAX_PART = 32;

/** The two names that diaspora* servers display for a person; `lastName` may be empty. */
export interface SplitName {
  readonly firstName: string;
  readonly lastName: string;
}

/**
 * Splits a display name into the two names of diaspora*: at most 32 code points each, without `;`. It is split at the
 * first blank that leaves both parts short enough, otherwise as late as possible; the excess is cut off.
 * @see diaspora* federation protocol, hCard
 */
export function splitName(fullName: string): SplitName {
  const words = replaceNonXmlCharacters(fullName)
    .replaceAll(";", " ")
    .trim()
    // Neither name has room for more words; the excess is cut off.
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
  // Twice the length in UTF-16 units covers the part that can be kept; a longer text need not be split.
  return [...text.slice(0, MAX_PART * 2)].slice(0, MAX_PART).join("").trim();
}
