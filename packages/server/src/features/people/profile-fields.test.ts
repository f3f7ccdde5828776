import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFields, readFields } from "./profile-fields.ts";

test("remote fields are cut, and incomplete ones are left out", () => {
  assert.deepEqual(
    readFields([
      { name: " Site\u0000\n of\tmine ", value: " a\r\nb " },
      { name: "\u202Eeman\u202C \u2067x\u2069", value: "v" },
      { name: "empty", value: "  " },
      { name: "\u202E", value: "v" },
    ]),
    [
      { name: "Site\uFFFD of mine", value: "a\nb" },
      { name: "eman x", value: "v" },
    ],
  );
  const long = readFields(
    Array.from({ length: 50 }, () => ({
      name: "😀".repeat(2000),
      value: "😀".repeat(5000),
    })),
  );
  assert.equal(long.length, 20);
  for (const { name, value } of long)
    assert.deepEqual([[...name].length, [...value].length], [255, 2048]);
});

test("own fields that do not fit are refused, and blank lines are left out", () => {
  const field = { name: "a", value: "b" };
  assert.deepEqual(checkFields([{ name: " ", value: "" }, field]), [field]);
  for (const bad of [
    [{ name: "a", value: " " }],
    [{ name: " ", value: "b" }],
    [{ name: "a".repeat(256), value: "b" }],
    [{ name: "a", value: "b".repeat(2049) }],
    Array.from({ length: 21 }, () => field),
  ])
    assert.throws(() => checkFields(bad), { code: "bad_request" });
});
