import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KithError } from "../../lib/errors.ts";
import { parseSearchQuery } from "./search-query.ts";
import { writeMatch, writeVector } from "./search-condition.ts";

const NOTHING = {
  ...{ phrases: [], tags: [], from: [], has: [], aspects: [] },
  not: { phrases: [], tags: [], from: [], has: [] },
  ...{ isPublic: false, isLibrary: false },
};

function assertParsed(text: string, parts: object): void {
  assert.deepEqual(parseSearchQuery(text), { ...NOTHING, ...parts }, text);
}

test("words, phrases and tags", () => {
  assertParsed("Grebe café", { phrases: [["grebe"], ["cafe"]] });
  assertParsed('"two  Words" three', {
    phrases: [["two", "words"], ["three"]],
  });
  assertParsed('"not closed', { phrases: [["not", "closed"]] });
  assertParsed("a_b x@y.example", {
    phrases: [
      ["a", "b"],
      ["x", "y", "example"],
    ],
  });
  assertParsed("#Owl", { tags: ["owl"] });
  assertParsed("東京都 猫", { phrases: [["東京", "京都"], ["_c猫"]] });
});

test("a minus leaves out", () => {
  assertParsed('owl -grebe -"a b" -#emu -from:me -has:poll', {
    phrases: [["owl"]],
    not: {
      phrases: [["grebe"], ["a", "b"]],
      tags: ["emu"],
      from: ["me"],
      has: ["poll"],
    },
  });
});

test("operators", () => {
  assertParsed("from:Me FROM:@ann@a.example", {
    from: ["me", "@ann@a.example"],
  });
  assertParsed("has:photo has:link", { has: ["media", "link"] });
  assertParsed("in:public in:mine", { isPublic: true, isLibrary: true });
  assertParsed('in:"Old Friends"', { aspects: ["Old Friends"] });
  assertParsed("before:2026-03-01 after:2026-01-31", {
    before: new Date("2026-03-01T00:00:00Z"),
    after: new Date("2026-02-01T00:00:00Z"),
  });
});

test("unknown operators are words", () => {
  assertParsed("foo:bar", { phrases: [["foo", "bar"]] });
  assertParsed("from: owl", { phrases: [["from"], ["owl"]] });
  assertParsed("AND OR NOT NEAR", {
    phrases: [["and"], ["or"], ["not"], ["near"]],
  });
});

test("values without a meaning, and too much, are refused", () => {
  for (const text of [
    ...["has:nothing", "has:__proto__", "before:soon", "after:2026-02-30"],
    ...["before:2026-1-1", "-in:public", "-before:2026-01-01", "…", '""'],
    ...["x".repeat(1_001), "a ".repeat(21), "a_".repeat(60)],
    "before:9999999-01-01",
  ])
    assert.throws(
      () => parseSearchQuery(text),
      (error) => error instanceof KithError && error.code === "bad_request",
      text,
    );
  for (const text of ["", " \n"])
    assert.throws(
      () => parseSearchQuery(text),
      (error) => error instanceof KithError && error.code === "empty_string",
    );
});

const part = fc.oneof(
  fc.constantFrom(
    ...["from:", "has:", "in:", "before:", "after:", "-", '"', "#", "_p", "*"],
    ...["(", ")", "AND", "NOT", ":", "'", "\\", "|", "&", "!", "<->", "{", "^"],
    ...["me", "poll", "public", "2026-01-01", " ", "东京", "\0", "\ud800"],
  ),
  fc.string({ unit: "binary", maxLength: 10 }),
);

test("any text is read or refused, and nothing of it is syntax of an index", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      let query;
      try {
        query = parseSearchQuery(text);
      } catch (error) {
        assert.ok(error instanceof KithError, text);
        return;
      }
      const all = [["_p"], ["_u1"]];
      const condition = {
        all: [all, ...query.phrases.map((phrase) => [phrase])],
        none: query.not.phrases,
      };
      const word = String.raw`[\p{L}\p{N}\p{M}_ー々]+`;
      assert.match(
        writeMatch(condition),
        new RegExp(`^(?:"${word}(?: ${word})*"|[() ]|AND|OR|NOT)+$`, "u"),
      );
      for (const isWhole of [false, true])
        assert.match(
          writeVector(condition, isWhole),
          new RegExp(`^(?:'${word}'|[()&|! ]|<->)+$`, "u"),
        );
    }),
    { numRuns: 2_000 },
  );
});
