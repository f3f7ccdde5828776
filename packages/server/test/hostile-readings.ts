import {
  repeat,
  type HostileReading,
} from "../../../scripts/work/hostile-reading.ts";
import { readNote } from "@kith/activitypub";
import { readNoteText as readNoteText } from "../src/federation/activitypub/notes/read-note-text.ts";
import { parseForm } from "../src/http/input/parameters.ts";
import { KithError } from "../src/lib/errors.ts";
import { decodeHtml } from "../src/lib/html/decode-html.ts";
import { htmlToText } from "../src/lib/html/html-cleaner.ts";
import { readPageMetadata } from "../src/lib/html/page-metadata.ts";
import { readText, renderMarkdown } from "../src/lib/markdown/markdown.ts";
import { checkMp4 } from "../src/lib/recordings/check-mp4.ts";
import { RecordingRefused } from "../src/lib/recordings/recording.ts";
import { stripUserData } from "../src/lib/recordings/strip-metadata.ts";
import { hostileCalendars } from "./hostile-calendars.ts";
import { HOSTILE_HTML } from "./hostile-html.ts";

/** As many characters as a text may have, of four bytes each. */
const MAX_TEXT_BYTES = 4 * 65_535;
const MAX_FORM_BYTES = 1_048_576;
const MAX_ACTIVITY_BYTES = 1_048_576;
/** Longer input is cut off before reading: see `readHtml`. */
const MAX_HTML_BYTES = 4 * 65_535;
/** As long as a recording may be by default. */
const MAX_FILE_BYTES = 40 * 1024 * 1024;
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
    name: "metadata of a page",
    maxBytes: 524_288,
    shapes: html,
    run: (input) => readPageMetadata(decodeHtml(input, "text/html")),
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
  {
    name: "boxes of MP4",
    maxBytes: MAX_FILE_BYTES,
    shapes: {
      "boxes in boxes": (bytes) => nestedBoxes(bytes),
      "empty boxes": (bytes) =>
        Buffer.from(repeat("\0\0\0\x08free", bytes), "latin1"),
      "boxes to the end": (bytes) =>
        Buffer.from(repeat("\0\0\0\0moov", bytes), "latin1"),
      "rows of a table": (bytes) => {
        const table = Buffer.alloc(Math.max(16, bytes));
        table.writeUInt32BE(table.length, 0);
        table.write("stts", 4, "latin1");
        table.writeUInt32BE(Math.floor((table.length - 16) / 8), 12);
        return table;
      },
    },
    run: (input) => refusing(() => checkMp4(input)),
  },
  {
    name: "units of H.264",
    maxBytes: MAX_FILE_BYTES,
    shapes: {
      "empty units": (bytes) => Buffer.alloc(bytes - (bytes % 4)),
      "long messages": (bytes) => {
        const unit = Buffer.alloc(Math.max(8, bytes), 0xff);
        unit.writeUInt32BE(unit.length - 4, 0);
        unit[4] = 6;
        return unit;
      },
      "many messages": (bytes) => {
        const unit = Buffer.alloc(Math.max(8, bytes));
        unit.writeUInt32BE(unit.length - 4, 0);
        unit[4] = 6;
        return unit;
      },
    },
    run: (input) => refusing(() => stripUserData(input, 4)),
  },
  ...hostileCalendars,
];

/** Each box ends with the file. */
function nestedBoxes(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  for (let at = 0; at + 8 <= bytes; at += 8) {
    file.writeUInt32BE(bytes - at, at);
    file.write("trak", at + 4, "latin1");
  }
  return file;
}

function refusing(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RecordingRefused || error instanceof RangeError))
      throw error;
  }
}
