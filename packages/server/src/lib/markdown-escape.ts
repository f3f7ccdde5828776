const URL_TEXT = /(https?:\/\/[^\s<>]+)/;

// As few as keep the meaning: escapes are what people on diaspora* would see of
// a text that was never markdown.
const SPECIAL = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-${"`"}{-~])`,
    "`",
    String.raw`\*(?=\S)|(?<=\S)\*`,
    "~(?=~)|(?<=~)~",
    String.raw`\](?=[([:])`,
    "<(?=[a-zA-Z/!?])",
    String.raw`&(?=#?\w{1,31};)`,
    String.raw`(?<=@)\{`,
    String.raw`!(?=\[)`,
  ].join("|"),
  "gu",
);

// A row of underscores means nothing within a word.
const UNDERSCORES = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;

function escapePart(text: string): string {
  return text
    .replace(SPECIAL, "\\$&")
    .replace(UNDERSCORES, (row) => row.replaceAll("_", "\\_"));
}

/** Escapes what markdown would take for a sign, but leaves addresses alone. */
export function escapeText(text: string): string {
  return text
    .split(URL_TEXT)
    .map((part, i) => (i % 2 === 1 ? part : escapePart(part)))
    .join("");
}

/** Escapes what begins a block (heading, quote, list, rule, table) in a line. */
export function escapeLineStarts(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^(?=#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|[=-]+\s*$|~~~)/, "\\")
        .replace(/^(?=[|:-][|:\s-]*$)/, "\\")
        .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, "$1\\"),
    )
    .join("\n");
}
