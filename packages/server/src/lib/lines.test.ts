import assert from "node:assert/strict";
import { test } from "node:test";
import { joinLines, withoutEnd, plainLine } from "./lines.ts";

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

test("a line of remote text has no breaks, controls or turns of direction", () => {
  assert.equal(plainLine(" a\n\tb\0c\u202ed\u2066 ", 50), "a b\uFFFDcd");
  assert.equal(plainLine("\ud800x", 50), "\uFFFDx");
  assert.equal(plainLine("👨‍👩‍👧 שלום", 50), "👨‍👩‍👧 שלום");
  assert.equal(plainLine("🦊".repeat(30), 10), `${"🦊".repeat(9)}…`);
  assert.equal(plainLine("exactly so", 10), "exactly so");
  assert.equal(plainLine("\u202e".repeat(10_000), 10), "");
});
