import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredLanguage } from "./preferred-language.ts";

test("a browser gets the language that it likes best among ours", () => {
  for (const [header, language] of [
    [undefined, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["DE-AT, en;q=0.5", "de"],
    ["en;q=0.5, de;q=0.9", "de"],
    ["fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"],
    ["fr, de;q=0.1", "de"],
    ["fr, *;q=0.5, de;q=0.1", "en"],
    ["de;q=0, en", "en"],
    ["de;q=0", "en"],
    ["de;q=x, en;q=0.1", "en"],
    ["de;q=7", "en"],
    [",;=,,-;q,de", "de"],
    ["constructor", "en"],
    ["__proto__, toString", "en"],
  ] as const)
    assert.equal(preferredLanguage(header), language, header ?? "none");
});
