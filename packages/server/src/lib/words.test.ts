import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  hasLink,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  plainText,
  readWords,
} from "./words.ts";

const wordsOf = (text: string) => readWords(text).words;

test("words are compared without case, accents and signs", () => {
  assert.deepEqual(wordsOf("Crème BRÛLÉE, Straße & Łódź!"), [
    ...["creme", "brulee", "strasse", "lodz"],
  ]);
  assert.deepEqual(wordsOf("Ἀθῆναι Москва й"), ["αθηναι", "москва", "и"]);
  assert.deepEqual(wordsOf("don't snake_case a-b"), [
    ...["don", "t", "snake", "case", "a", "b"],
  ]);
  assert.deepEqual(wordsOf("ﬁne Ⅳ ２"), ["fine", "iv", "2"]);
  assert.deepEqual(wordsOf("हिन्दी 한국어"), ["हिन्दी", "한국어"]);
  assert.deepEqual(wordsOf("🦉 … <3"), ["3"]);
});

test("scripts without spaces are cut into pairs of letters", () => {
  const { words, letters } = readWords("I love東京都 と 猫");
  assert.deepEqual(words, ["i", "love", "東京", "京都", "と", "猫"]);
  assert.deepEqual([...letters], ["東", "京", "都", "と", "猫"]);
  assert.deepEqual(wordsOf("สวัสดี").length > 1, true);
});

test("a text is cut at its bounds", () => {
  assert.equal(wordsOf("a ".repeat(10_000)).length, MAX_WORDS);
  assert.ok(wordsOf("東".repeat(10_000)).length <= MAX_WORDS);
  assert.equal(wordsOf("x".repeat(500))[0]?.length, MAX_WORD_LENGTH);
});

test("targets of links and schemes are no words", () => {
  const text = plainText("see [this](https://a.example/b) http://c.example");
  assert.deepEqual(wordsOf(text), ["see", "this", "c", "example"]);
  assert.ok(hasLink("at https://a.example"));
  assert.ok(!hasLink("http:// no"));
});

test("any text has words of letters, marks and digits alone", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const word of wordsOf(plainText(text)))
        assert.match(word, /^[\p{L}\p{N}\p{M}ー々]+$/u);
    }),
  );
});
