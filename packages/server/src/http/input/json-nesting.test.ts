import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isNestedTooDeeply, MAX_NESTING } from "./json-nesting.ts";

const nested = (depth: number, inner = "") =>
  `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;

describe("nesting of JSON", () => {
  test("is read up to the limit", () => {
    assert.equal(isNestedTooDeeply(nested(MAX_NESTING)), false);
    assert.equal(isNestedTooDeeply(nested(MAX_NESTING + 1)), true);
    const objects = `${'{"a":'.repeat(MAX_NESTING)}1${"}".repeat(MAX_NESTING)}`;
    assert.equal(isNestedTooDeeply(objects), false);
    assert.equal(isNestedTooDeeply(`[${objects}]`), true);
  });

  test("of neighbours is not added", () => {
    const list = nested(MAX_NESTING - 1);
    assert.equal(isNestedTooDeeply(`[${list},${list},{"a":1}]`), false);
  });

  test("does not count what strings contain", () => {
    const brackets = "[{".repeat(MAX_NESTING);
    for (const text of ["", '"', "\\", '\\"', '\\\\"', "\\".repeat(9)]) {
      const value = [`${brackets}${text}${brackets}`, text];
      assert.equal(isNestedTooDeeply(JSON.stringify(value)), false, text);
    }
    assert.equal(isNestedTooDeeply(nested(MAX_NESTING, '"\\\\"')), false);
    assert.equal(isNestedTooDeeply(nested(MAX_NESTING, '"\\\\",[]')), true);
  });

  test("of text that is no JSON is counted as far as it goes", () => {
    assert.equal(isNestedTooDeeply("[".repeat(100_000)), true);
    assert.equal(isNestedTooDeeply(`"${"[".repeat(100_000)}`), false);
    assert.equal(isNestedTooDeeply("]".repeat(100_000)), false);
    assert.equal(isNestedTooDeeply(""), false);
  });

  test("is counted once from the start to the end", () => {
    const backslashes = `"${"\\".repeat(1_000_001)}"`.repeat(2);
    assert.equal(isNestedTooDeeply(backslashes), false);
    assert.equal(isNestedTooDeeply('"\\"'.repeat(500_000)), false);
  });
});
