import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cleanHtml, htmlToText } from "./html-cleaner.ts";
import { ALLOWED_TAGS } from "./html-cleaner-rules.ts";
import { assertHarmless, HOSTILE } from "./html-hostile.fixture.ts";

describe("hostile HTML", () => {
  for (const html of HOSTILE) {
    test(html, () => {
      const clean = cleanHtml(html);
      assertHarmless(clean);
      assertHarmless(cleanHtml(`<p><b>${html}</b></p>`));
      assertHarmless(cleanHtml(`<table><tr><td>${html}`));
      assertHarmless(cleanHtml(`<a href="https://a.org/">${html}</a>${html}`));
      assert.ok(!/<script|onerror=.*<img/.test(clean));
    });
  }
});

const FRAGMENTS = [
  ...ALLOWED_TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
  ...["<svg>", "</svg>", "<math>", "<style>", "</style>", "<!--", "-->"],
  ...["<title>", "</title>", "<textarea>", "</textarea>", "<section>"],
  ...['<a href="https://a.org/">', '<img src="https://a.org/" alt="x">'],
  ...["text", " ", "\n", "&lt;b&gt;", '"', "'", "<", ">", "&", "<p title='"],
];

test("any combination of parts is harmless, and clean after one cleaning", () => {
  const anyHtml = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 30 });
  fc.assert(
    fc.property(anyHtml, (parts) => {
      const clean = cleanHtml(parts.join(""));
      assertHarmless(clean);
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assertHarmless(cleanHtml(text));
      htmlToText(text);
    }),
  );
});

const PATHOLOGICAL: Record<string, string> = {
  "open elements": "<b>",
  "open paragraphs": "<p>",
  "open lists": "<ul><li>",
  "open tables": "<table><tr><td>",
  "open links": '<a href="https://a.org/">',
  "stray ends": "</i>",
  "less-than signs": "<",
  "broken tags": "<a ",
  comments: "<!---->",
  "open comments": "<!--",
  ampersands: "&",
  entities: "&amp;",
  instructions: "<?",
  divisions: "<div>x</div> ",
  breaks: "<br>",
  pictures: '<img src="https://a.org/" alt="x">',
  "closed elements": "<b><i><u>x</u></i></b>",
  quotes: "<blockquote>x</blockquote>",
  "misnested elements": "<b><p>x</b>",
  "misnested links": '<a href="https://a.org/"><p>',
  "reopened elements": "<b><i><u><s><p>x",
  "text in tables": "<table>x<br>",
  "elements in tables": "<table><b>x</b>",
  templates: "<template>x</template>",
  "options of menus": "<select><option>x",
  paragraphs: "<button><p>",
  "foreign elements": "<svg><desc><p>",
  "carriage returns": "\r",
};

describe("pathological HTML takes time in proportion to its length", () => {
  for (const [name, unit] of Object.entries(PATHOLOGICAL)) {
    test(name, () => {
      const time = (length: number) => {
        const html = unit.repeat(length / unit.length);
        const start = performance.now();
        htmlToText(html);
        cleanHtml(html);
        return performance.now() - start;
      };
      time(10_000);
      const half = time(500_000);
      const whole = time(1_000_000);
      // Quadratic work would take far more than seconds at this size.
      assert.ok(
        whole < 8 * half + 3000,
        `${String(half)} -> ${String(whole)} ms`,
      );
    });
  }
});

/** Each has another name or value, so that none is dropped as a repetition. */
const numbered = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join("");

const AMPLIFYING: Record<string, string> = {
  "every paragraph opens all elements again": `<p>${numbered(200, (n) => `<b a=${n}>`)}</p>${"<p>x".repeat(14_000)}`,
  "every end tag wraps what is there once more": (
    "<b>".repeat(120) +
    "<div><div>" +
    "</b>".repeat(120)
  ).repeat(60),
  "every element has all names": `<a ${numbered(200_000, (n) => `a${n}`)}>x`,
  "every line ends deep in others":
    "<b>".repeat(200) + "<p>x<br>y".repeat(7000),
  "every tag adds to the same element": numbered(14_000, (n) => `<html a${n}>`),
  "every element has a name of its own": numbered(14_000, (n) => `<x-${n}>x`),
  "every element is wide": "<x-y>".repeat(200) + "<br>".repeat(14_000),
};

describe("HTML from which a browser makes far more than there is", () => {
  for (const [name, html] of Object.entries(AMPLIFYING)) {
    test(name, () => {
      const start = performance.now();
      const clean = cleanHtml(html);
      const text = htmlToText(html);
      const tookMs = performance.now() - start;
      assert.ok(clean.length <= 2 * html.length && text.length < html.length);
      assert.ok(tookMs < 10_000, `${tookMs} ms`);
      assertHarmless(clean);
    });
  }
});
