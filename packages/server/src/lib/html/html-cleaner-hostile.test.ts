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

test("whatever is put together is harmless, and clean after one cleaning", () => {
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
