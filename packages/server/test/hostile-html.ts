import { repeat } from "../../../scripts/work/hostile-reading.ts";

/** As much as an activity can bring. */
export const MAX_HTML_BYTES = 1_048_576;

const FOREIGN_HOST = Array.from({ length: 2000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_900)),
).join("");

/** Fragments that each cost something. */
const UNITS = [
  ...["x", "<", ">", "&", "&amp;", "&#1", "<p>", "</p>", "<p>x", "<a>", "<b>"],
  ...["<b>x</b>", "<b><i></b>", "<i>x ", "<table>", "<table><tr><td>", "<td>"],
  ...["<tr>", "<ul><li>", "<li>", "<ol><li>", "<blockquote>", "<blockquote>\n"],
  ...[
    "<div>",
    "<div>x",
    "<h1>",
    "<br>",
    "<img alt='x'>",
    "<img src='http://a/'>",
  ],
  ...[
    "<!--",
    "<!-- -->",
    "<!",
    "<?",
    "<![CDATA[",
    "<script>",
    "<svg>",
    "<math>",
  ],
  ...["<code>`", "<pre>\n", "<ruby><rt>", "<rp>", "<x-y>", "<p class=h-card>"],
  ...[
    '<a href="x"',
    "<a href='http://a/'>x</a>",
    "<a class=mention href=http://a/>@b</a>",
  ],
  ...[
    "`",
    "*",
    "_",
    "*a*",
    "_a_ ",
    "~",
    "[",
    "]",
    "![",
    "](",
    "\\",
    "|",
    "|\n",
  ],
  ...["> ", "- ", "1. ", "#", "@{", "\n", " ", "  \n", "http://a ", "http://"],
  ...[
    "\u0301",
    "\u202e",
    "😀",
    '="',
    "x=",
    "a='b' ",
    "!<a href='http://a/'>x</a>",
  ],
  ...["<b><p>x</b>", "<b><i><u><s><p>x", "<table>x<br>", "<table><b>x</b>"],
  ...["<a href='http://a/'><p>", "<button><p>", "<svg><desc><p>", "<select>x"],
  `<a href="http://${FOREIGN_HOST}/">x</a>`,
];

/** Places for them. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  "in a paragraph": (text) => `<p>${text}</p>`,
  "in a tag": (text) => `<a ${text}>`,
  "in an address": (text) => `<a href="http://a/${text}">x</a>`,
  "deep in emphasis": (text) => "<b><i>".repeat(45) + text,
  "deep in quotes": (text) => "<blockquote>".repeat(90) + text,
  "deep in lists": (text) => "<ul><li>".repeat(45) + text,
  "deep in tables": (text) => "<table><tr><td>".repeat(30) + text,
  "behind the longest line of a table": (text) =>
    `<table><tr>${"<td>x".repeat(500)}<tr>${text}</table>`,
  "in code": (text) => `<pre><code>${text}</code></pre>`,
};

/**
 * HTML of about this many bytes that could cost a converter to Markdown more than its
 * length, by its long, many or deep part. Any converter must read each, and write no more
 * than a few times as much.
 */
export const HOSTILE_HTML: Readonly<Record<string, (bytes: number) => string>> =
  Object.fromEntries(
    Object.entries(PLACES).flatMap(([place, put]) =>
      UNITS.map((unit): [string, (bytes: number) => string] => [
        `${place}: ${unit.slice(0, 40)}`,
        (bytes) => put(repeat(unit, bytes - Buffer.byteLength(put("")))),
      ]),
    ),
  );
