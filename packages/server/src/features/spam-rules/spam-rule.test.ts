import assert from "node:assert/strict";
import { test } from "node:test";
import {
  linkHostsIn,
  matchesAuthor,
  matchesText,
  readJudged,
  type SpamConditions,
} from "./spam-rule.ts";

const NOTHING: SpamConditions = {
  ...{ phrase: null, linkHost: null, mentions: null, knownDays: null },
  noContact: false,
};

test("a phrase is found in any case and across lines, and not in longer words", () => {
  const has = (phrase: string, text: string) =>
    matchesText({ ...NOTHING, phrase }, readJudged(text, 0));
  for (const [phrase, text, isThere] of [
    ["cheap pills", "Buy CHEAP\n  pills!", true],
    ["pill", "pills", false],
    ["pill", "a spill, a pill.", true],
    ["a a", "xa a a", true],
    ["ärger", "ÄRGER", true],
    ["$$$", "win$$$now", true],
    ["🦌", "🦌🦌", true],
    ["ﬁne", "fine", true],
  ] as const)
    assert.equal(has(phrase, text), isThere, `${phrase} in ${text}`);
});

test("the hosts of links are found in every spelling", () => {
  const text =
    "[a](https://A.Spam.Example/x) <http://me@b.example:8080> https://ümlaut.example. no.example https://[x";
  assert.deepEqual(linkHostsIn(text), [
    ...["a.spam.example", "b.example", "xn--mlaut-jva.example"],
  ]);
  const links = (linkHost: string) =>
    matchesText({ ...NOTHING, linkHost }, readJudged(text, 0));
  assert.equal(links("spam.example"), true);
  assert.equal(links("pam.example"), false);
  assert.equal(links("no.example"), false);
});

test("mentions, days and contacts are counted", () => {
  const conditions = { ...NOTHING, mentions: 2, knownDays: 3, noContact: true };
  assert.equal(matchesText(conditions, readJudged("", 1)), false);
  assert.equal(matchesText(conditions, readJudged("", 2)), true);
  const at = new Date("2026-01-10T00:00:00Z");
  const author = (day: number, hasContact = false) =>
    matchesAuthor(
      conditions,
      { knownSince: new Date(Date.UTC(2026, 0, day)), hasContact },
      at,
    );
  assert.equal(author(7), false);
  assert.equal(author(8), true);
  assert.equal(author(8, true), false);
});

test("long texts cost little", () => {
  const text = `${"a".repeat(199)} `.repeat(5_000);
  const phrase = `${"a".repeat(199)}b`;
  const started = process.cpuUsage();
  assert.equal(matchesText({ ...NOTHING, phrase }, readJudged(text, 0)), false);
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});
