import { listOf } from "../json.ts";

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** A text without tags, character references, backslashes of Markdown and surplus white space. */
export function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, decode)
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function decode(
  whole: string,
  decimal?: string,
  hex?: string,
  name?: string,
): string {
  if (name !== undefined) return NAMED[name] ?? whole;
  const code = decimal === undefined ? parseInt(hex ?? "", 16) : +decimal;
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Whether a text satisfies `textMatch` of the index's schema. */
export function matchesText(text: string, wanted: unknown): boolean {
  const seen = plain(text);
  if (wanted === undefined) return true;
  if (typeof wanted === "string") return seen === squeezed(wanted);
  const { contains, notContains, oneOf } = wanted as Record<string, unknown>;
  if (oneOf !== undefined)
    return listOf(oneOf).some((one) => squeezed(one) === seen);
  const has = listOf(contains).every((one) => seen.includes(squeezed(one)));
  const lacks = listOf(notContains).every(
    (one) => !seen.includes(squeezed(one)) && !text.includes(String(one)),
  );
  return has && lacks;
}

/** The expected value is text already: only its white space is normalized. */
function squeezed(wanted: unknown): string {
  return String(wanted).replace(/\s+/g, " ").trim();
}
