import assert from "node:assert/strict";
import { test } from "node:test";
import { withWarning } from "./warning-text.ts";

test("a text that warns of something says so in its first line", () => {
  assert.equal(withWarning("text", null), "text");
  assert.equal(withWarning("text", "a *b*"), "**a \\*b\\***\n\ntext");
});
