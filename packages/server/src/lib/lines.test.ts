import assert from "node:assert/strict";
import { test } from "node:test";
import { joinLines, withoutEnd } from "./lines.ts";

test("lines become one, without blanks and empty ones", () => {
  assert.equal(
    joinLines("Hall \n\n  Main street 1\r\nTown", ", "),
    "Hall, Main street 1, Town",
  );
  assert.equal(joinLines("\n\t\n", ", "), "");
  assert.equal(joinLines("one", ", "), "one");
});

test("an end is taken off however long it is, and in no time", () => {
  assert.equal(withoutEnd("a.example...", "."), "a.example");
  assert.equal(withoutEnd("...", "."), "");
  assert.equal(withoutEnd(`${".".repeat(1_000_000)}a`, ".").length, 1_000_001);
});
