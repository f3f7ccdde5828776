import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitName } from "./names.ts";

test("a name is split at its first blank", () => {
  assert.deepEqual(splitName("Alice Smith"), {
    firstName: "Alice",
    lastName: "Smith",
  });
  assert.deepEqual(splitName("  Alice\t B.  Smith "), {
    firstName: "Alice",
    lastName: "B. Smith",
  });
  assert.deepEqual(splitName("Alice"), { firstName: "Alice", lastName: "" });
  assert.deepEqual(splitName(""), { firstName: "", lastName: "" });
});

test("semicolons are removed", () => {
  assert.deepEqual(splitName("Ali;ce; Smith"), {
    firstName: "Ali",
    lastName: "ce Smith",
  });
});

test("a later blank is taken when the rest would be too long", () => {
  const { firstName, lastName } = splitName(
    "Anna Maria Theresia von und zu Hohenlohe-Bartenstein",
  );
  assert.equal(firstName, "Anna Maria Theresia");
  assert.equal(lastName, "von und zu Hohenlohe-Bartenstein");
});

test("an overlong word is cut in two", () => {
  assert.deepEqual(splitName("a".repeat(40)), {
    firstName: "a".repeat(32),
    lastName: "a".repeat(8),
  });
  assert.deepEqual(splitName("😀".repeat(80)), {
    firstName: "😀".repeat(32),
    lastName: "😀".repeat(32),
  });
});

test("pods accept both parts of any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
      const { firstName, lastName } = splitName(name);
      for (const part of [firstName, lastName]) {
        assert.ok([...part].length <= 32);
        assert.ok(!part.includes(";"));
        assert.equal(part, part.trim());
      }
    }),
  );
});
