import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readText, renderMarkdown, tagsIn } from "./markdown.ts";
import { foldTag, parseTag } from "./tags.ts";

const FOLDED: Record<string, string> = {
  Kith: "kith",
  "a_b-c1": "a_b-c1",
  ÄÖÜ: "äöü",
  "A\u0308": "ä",
  ＫＩＴＨ: "kith",
  ﬁnd: "find",
  日本語: "日本語",
  ｶﾀｶﾅ: "カタカナ",
  أهلا: "أهلا",
  ΣΊΣΥΦΟΣ: "σίσυφος",
  // The fraction would get a slash, the ligature spaces.
  "½": "½",
  "\ufdfa": "\ufdfa",
  "<3": "<3",
};

for (const [written, folded] of Object.entries(FOLDED))
  test(`#${written} is #${folded}`, () => {
    assert.equal(foldTag(written), folded);
    assert.equal(parseTag(written), folded);
    assert.equal(parseTag(`#${written}`), folded);
    assert.deepEqual(tagsIn(`a #${written} b`), [folded]);
  });

test("a text that is no tag is not taken for one", () => {
  for (const word of ["", "#", "##a", "a b", "a.b", "<4", "3>", "a\0", "🦌"])
    assert.equal(parseTag(word), undefined, word);
  assert.equal(parseTag("x".repeat(256)), undefined);
});

test("tags in code, links and addresses are none; a tag beside them is", () => {
  const texts = [
    "`#a`",
    "    #a",
    "```\n#a\n```",
    "[see #a here](https://x.example)",
    "https://x.example/#a",
    "<https://x.example/#a>",
    "x#a",
    "\\#a",
    "&#35;a",
  ];
  for (const text of texts) {
    assert.deepEqual(tagsIn(text), [], text);
    assert.deepEqual(tagsIn(`${text}\n\n#b`), ["b"], text);
  }
});

test("a link that shows nothing but a tag is that tag", () => {
  assert.deepEqual(tagsIn("([#a](https://x.example))"), ["a"]);
});

test("a tag is found as it is linked, whatever the text", () => {
  const piece = fc.constantFrom(
    ...["#", "##", "a", "Ä", "ﬁ", "½", "\ufdfa", "\u200f", " ", "\n", "`", "["],
    ...["](https://x.example)", "*", "_", "-", "<3", "@{a@b.example}", "\\"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const linked = new Set<string>();
      renderMarkdown(text, {
        mention: () => undefined,
        tagHref: (tag) => {
          linked.add(tag);
          return "https://pod.example/";
        },
      });
      const { tags } = readText(text);
      assert.deepEqual(tags, [...linked]);
      for (const tag of tags) {
        assert.equal(parseTag(tag), tag);
        assert.equal(foldTag(tag), tag);
      }
    }),
    { numRuns: 2000 },
  );
});

test("all ways to mention are read, in lower case, once", () => {
  const { handles } = readText(
    "@{Bob; Bob@x.example} @{bob@x.example} @{eve@x.example} `@{c@x.example}` @d@x.example",
  );
  assert.deepEqual(handles, ["bob@x.example", "eve@x.example", "d@x.example"]);
});

test("reading takes time in proportion to the text", () => {
  for (const part of ["#a ", "#", "@{", "@{a; ", "#\u200f", "[#a ", "#ﬁ "]) {
    const start = performance.now();
    readText(part.repeat(65_535 / part.length));
    assert.ok(performance.now() - start < 2_000, part);
  }
});
