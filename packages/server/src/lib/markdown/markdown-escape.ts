import { HANDLE } from "./markdown-rules.ts";
import { foldTag, TAG_CHARACTER } from "./tags.ts";

const URL_TEXT = /(https?:\/\/[^\s<>]+)/;

/** The surroundings of a text, and which of its parts keep their meaning. */
export type TextContext = {
  /** The characters before and after it. */
  readonly before: string;
  readonly after: string;
  /** The tags and handles that keep their meaning; undefined for all. */
  readonly named:
    | {
        readonly tags: ReadonlySet<string>;
        readonly handles: ReadonlySet<string>;
      }
    | undefined;
  /** Is an address in it to become a link? */
  readonly linksAddresses: boolean;
  /** In square brackets. */
  readonly inLabel: boolean;
  /** In a cell of a table. */
  readonly inCell: boolean;
};

// As few as preserve the meaning: people on diaspora* would see the escapes in a text that was
// never Markdown.
const SPECIAL = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-${"`"}{-~\n])`,
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
const ANY_SPECIAL = /[\\`*~[\]<&{!:@#_|]/;
const ADDRESS = /:(?=\/\/)|(?<=mailto):/gi;

// A row of underscores means nothing within a word.
const UNDERSCORES = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;
const TAG = new RegExp(
  String.raw`(?<=(?:^|\s)[\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,4})#(?=(${TAG_CHARACTER}{1,256}|<3)|[\u200e\u200f\u202a-\u202e\u2066-\u2069])`,
  "gu",
);

const PLAIN: TextContext = {
  before: "\n",
  after: "\n",
  named: undefined,
  linksAddresses: true,
  inLabel: false,
  inCell: false,
};

/** Escapes what Markdown would take for markup, or for a link that the author did not make. */
export function escapeText(text: string, place: TextContext = PLAIN): string {
  if (!ANY_SPECIAL.test(text)) return text;
  if (!place.linksAddresses) return escapePart(text, place);
  return text
    .split(URL_TEXT)
    .map((part, i) => (i % 2 === 1 ? part : escapePart(part, place)))
    .join("");
}

function escapePart(text: string, place: TextContext): string {
  const before = place.before.slice(-1);
  const start = place.inLabel && before === "[" ? "\n" : before;
  const whole = start + text + place.after.slice(0, 1);
  const signs = new Set<number>();
  const mark = (pattern: RegExp) => {
    for (const { 0: run, index } of whole.matchAll(pattern))
      for (let i = 0; i < run.length; i += 1) signs.add(index + i);
  };
  mark(SPECIAL);
  if (text.includes("_")) mark(UNDERSCORES);
  if (!place.linksAddresses && !place.inLabel) mark(ADDRESS);
  if (place.inLabel) mark(/[[\]]/g);
  if (place.inCell) mark(/\|/g);
  if (text.includes("#")) markNames(whole, TAG, signs, place.named?.tags);
  if (text.includes("@")) markNames(whole, HANDLE, signs, place.named?.handles);
  return insertEscapes(whole, signs, start.length, start.length + text.length);
}

/** Marks the signs of names outside `named` to be escaped: the text must not mention them. */
function markNames(
  whole: string,
  pattern: RegExp,
  signs: Set<number>,
  named: ReadonlySet<string> | undefined,
): void {
  if (named === undefined) return;
  for (const { 1: name = "", index } of whole.matchAll(pattern))
    if (!named.has(foldTag(name))) signs.add(index);
}

function insertEscapes(
  whole: string,
  signs: ReadonlySet<number>,
  start: number,
  end: number,
): string {
  const parts: string[] = [];
  let from = start;
  for (const at of [...signs].sort((a, b) => a - b)) {
    if (at < start || at >= end) continue;
    parts.push(whole.slice(from, at), "\\");
    from = at;
  }
  parts.push(whole.slice(from, end));
  return parts.join("");
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
