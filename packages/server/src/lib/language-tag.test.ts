import assert from "node:assert/strict";
import { test } from "node:test";
import { readLanguageTag } from "./language-tag.ts";

test("a language tag has one spelling, and whatever is none is none", () => {
  for (const [text, tag] of [
    ["de", "de"],
    ["PT-br", "pt-BR"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["und", undefined],
    ["", undefined],
    ["d", undefined],
    ["de_AT", undefined],
    ["de AT", undefined],
    ['de" onclick="', undefined],
    ["abcdefghi", undefined],
    [`en-${"a".repeat(40)}`, undefined],
    [`en${"-abcdefgh".repeat(5)}`, undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(readLanguageTag(text), tag, String(text));
});
