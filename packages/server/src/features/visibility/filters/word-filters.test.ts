import assert from "node:assert/strict";
import { test } from "node:test";
import type { FilterId } from "../../ids.ts";
import { matchFilters, type WordFilter } from "./word-filters.ts";

const filter = (keyword: string, wholeWord: boolean): WordFilter => ({
  ...{ id: 1 as FilterId, title: "mine", action: "warn", contexts: ["home"] },
  keywords: [{ keyword, wholeWord }],
  statuses: new Set(),
});
const matches = (keyword: string, wholeWord: boolean, text: string) =>
  matchFilters([filter(keyword, wholeWord)], [text]).length > 0;

test("keywords are found in any case and form, anywhere or as whole words", () => {
  for (const [keyword, text, anywhere, whole] of [
    ["cat", "The CAT sat", true, true],
    ["cat", "concatenate", true, false],
    ["cat", "concat cat", true, true],
    ["cat", "cat_food", true, false],
    ["cat", "cat2", true, false],
    ["cat", "caté", true, false],
    ["cat", "cat\u0301", true, false],
    ["cat", "𝔸cat", true, false],
    ["cat", "(cat)", true, true],
    ["cat", "dog", false, false],
    ["#cat", "a#cat", true, true],
    ["#cat", "#cats", true, false],
    ["ÄRGER", "ärger", true, true],
    ["A\u0308rger", "ärger", true, true],
    ["ｃａｔ", "cat", true, true],
    ["two words", "Two words.", true, true],
    ["a.c", "abc", false, false],
    ["(", "a ( b", true, true],
    ["🐈", "my🐈", true, true],
  ] as const) {
    assert.equal(
      matches(keyword, false, text),
      anywhere,
      `${keyword}: ${text}`,
    );
    assert.equal(matches(keyword, true, text), whole, `${keyword} | ${text}`);
  }
});

test("a match names the filter and each keyword once, whichever text has it", () => {
  const keywords = ["tea", "cake", "rum"].flatMap((keyword) =>
    [true, false].map((wholeWord) => ({ keyword, wholeWord })),
  );
  const mine = { ...filter("", false), keywords };
  assert.deepEqual(matchFilters([mine], ["Tea", "a cake"]), [
    {
      ...{ filterId: 1, title: "mine", action: "warn" },
      ...{ keywords: ["tea", "cake"], statuses: [] },
    },
  ]);
  assert.deepEqual(matchFilters([mine], []), []);
  assert.deepEqual(matchFilters([], ["tea"]), []);
});

test("a long text takes no longer than it is long", () => {
  const text = "ab".repeat(32_000);
  const started = performance.now();
  for (let round = 0; round < 10; round++)
    assert.equal(matches("aba", true, text), false);
  assert.ok(performance.now() - started < 2_000);
});
