import {
  repeat,
  type HostileReading,
} from "../../../scripts/work/hostile-reading.ts";
import { readNote } from "@kith/activitypub";
import { readNoteText as readNoteText } from "../src/federation/activitypub/notes/read-note-text.ts";
import { parseForm } from "../src/http/input/parameters.ts";
import { KithError } from "../src/lib/errors.ts";
import { htmlToText } from "../src/lib/html/html-cleaner.ts";
import { readText, renderMarkdown } from "../src/lib/markdown/markdown.ts";
import { HOSTILE_HTML } from "./hostile-html.ts";

/** As many characters as a text may have, of four bytes each. */
const MAX_TEXT_BYTES = 4 * 65_535;
const MAX_FORM_BYTES = 1_048_576;
const MAX_ACTIVITY_BYTES = 1_048_576;
/** Longer input is cut off before reading: see `readHtml`. */
const MAX_HTML_BYTES = 4 * 65_535;
const ORIGIN = "https://evil.example";

const html = Object.fromEntries(
  Object.entries(HOSTILE_HTML).map(([shape, write]) => [
    shape,
    (bytes: number) => Buffer.from(write(bytes)),
  ]),
);
const textOf = (input: Uint8Array) => Buffer.from(input).toString();

const UNITS = [
  ...["x", "#a ", "#", "@{", "@{a@b.c} ", "@{a; b@c.d}", "*", "_a_ ", "**a"],
  ...["[", "]", "[a](", "[a](http://a/) ", "![", "[a]: x\n", "](", "`", "``` "],
  ...["http://a ", "http://", "<http://a", "mailto:a@b.c ", "diaspora://"],
  ...["diaspora://a@b.c/post/1234567890123456 ", "\\", "|", "|a|\n|-|\n", "> "],
  ...["- ", "- a\n", "1. ", "  ", "\n", "===\n", "~~~\n", "&lt;", "<b>", "~~"],
];

/** The text repeats the start of the links, followed only by their ends. */
function pageOfLinks(bytes: number): Uint8Array {
  const link = `http://a/${"a".repeat(Math.min(2000, bytes / 40))}`;
  const attachment = Array.from({ length: 10 }, (_, at) => ({
    type: "Link",
    href: link.slice(0, link.length - at),
  }));
  const content = `${`${link.slice(0, -20)}! `.repeat(3)}${repeat("a", bytes / 2)}`;
  const source = { mediaType: "text/markdown", content };
  const page = { id: `${ORIGIN}/1`, type: "Page", attributedTo: `${ORIGIN}/u` };
  return Buffer.from(JSON.stringify({ ...page, attachment, source }));
}

/** Everything in the server itself that reads untrusted input; a converter of HTML has tests of its own. */
export const hostileReadings: readonly HostileReading[] = [
  {
    name: "HTML",
    maxBytes: MAX_HTML_BYTES,
    shapes: html,
    run: (input) => htmlToText(textOf(input)),
  },
  {
    name: "Markdown",
    maxBytes: MAX_TEXT_BYTES,
    shapes: Object.fromEntries(
      UNITS.map((unit) => [
        unit,
        (bytes: number) => Buffer.from(repeat(unit, bytes)),
      ]),
    ),
    run: (input) => {
      const text = textOf(input).slice(0, 65_535);
      readText(text);
      renderMarkdown(text, {
        mention: (handle) => ({ href: `${ORIGIN}/u`, label: handle }),
        tagHref: (tag) => `${ORIGIN}/tags/${encodeURIComponent(tag)}`,
      });
    },
  },
  {
    name: "text of a Note",
    maxBytes: MAX_ACTIVITY_BYTES,
    shapes: { "links that nearly stand in the text": pageOfLinks },
    run: (input) => readNoteText(readNote(JSON.parse(textOf(input)) as never)),
  },
  {
    name: "form",
    maxBytes: MAX_FORM_BYTES,
    shapes: Object.fromEntries(
      ["a=b&", "&", "=", "%41", "a=&a=&", "+"].map((unit) => [
        unit,
        (bytes: number) => Buffer.from(repeat(unit, bytes)),
      ]),
    ),
    run: (input) => {
      try {
        parseForm(textOf(input));
      } catch (error) {
        if (!(error instanceof KithError)) throw error;
      }
    },
  },
];
