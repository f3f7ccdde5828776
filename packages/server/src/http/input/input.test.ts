import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "../../lib/json-schema.ts";
import { KithError } from "../../lib/errors.ts";
import { flag, readInput, text, uint } from "./input.ts";

const SCHEMA = Type.Object({
  text: text("A text"),
  id: uint("A number"),
  small: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  on: flag("A switch"),
  kind: Type.Optional(Type.String({ enum: ["one", "two"] })),
  ids: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
});

const read = (parameters: Record<string, unknown>) =>
  readInput(SCHEMA, parameters);

function assertRefused(parameters: Record<string, unknown>): void {
  assert.throws(
    () => read(parameters),
    (error) => error instanceof KithError && error.code === "bad_request",
    JSON.stringify(parameters),
  );
}

test("what is not in the schema is left out, so is null", () => {
  const proto = JSON.parse('{"__proto__":{"text":"x"}}') as object;
  assert.deepEqual(read({ other: 1, ...proto }), {});
  assert.deepEqual(read({ text: null, id: null, on: undefined }), {});
});

test("texts are texts, and fit to be stored", () => {
  assert.deepEqual(read({ text: "" }), { text: "" });
  assert.deepEqual(read({ text: "🦌\r\n" }), { text: "🦌\r\n" });
  for (const value of [
    1,
    true,
    {},
    [],
    ["a", "b"],
    "a\0b",
    "\ud800",
    "\udc00a",
  ])
    assertRefused({ text: value });
});

test("numbers come as numbers or as digits", () => {
  assert.deepEqual(read({ id: 5, small: "7" }), { id: 5, small: 7 });
  assert.deepEqual(read({ id: "0" }), { id: 0 });
  assert.deepEqual(read({ id: "" }), {}, "a field left blank is absent");
  const greatest = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(read({ id: String(greatest) }), { id: greatest });
  for (const value of [
    -1,
    "-1",
    1.5,
    "1.5",
    "1e3",
    1e21,
    "0x1",
    " 1",
    "1 ",
    "+1",
    "٣",
    "abc",
    "9007199254740992",
    "99999999999999999999",
    NaN,
    Infinity,
    true,
    [],
    ["1", "2"],
    {},
  ])
    assertRefused({ id: value });
  for (const small of [0, 101, "0", "101"]) assertRefused({ small });
});

test("switches have four spellings of each side", () => {
  for (const on of [true, "true", "1", 1, "on"])
    assert.deepEqual(read({ on }), { on: true });
  for (const on of [false, "false", "0", 0, "off"])
    assert.deepEqual(read({ on }), { on: false });
  assert.deepEqual(read({ on: "" }), {});
  for (const on of ["yes", "TRUE", "2", 2, " true", [true], {}])
    assertRefused({ on });
});

test("a choice is one of its words", () => {
  assert.deepEqual(read({ kind: "one" }), { kind: "one" });
  for (const kind of ["three", "", "One", ["one"]]) assertRefused({ kind });
});

test("a list may come as one value, and has an end", () => {
  assert.deepEqual(read({ ids: "3" }), { ids: [3] });
  assert.deepEqual(read({ ids: ["3", 4] }), { ids: [3, 4] });
  const hundred = Array.from({ length: 100 }, () => 1);
  assert.deepEqual(read({ ids: hundred }), { ids: hundred });
  assertRefused({ ids: [...hundred, 1] });
  for (const ids of ["x", ["1", "x"], [[1]], [{}], "0"]) assertRefused({ ids });
});
