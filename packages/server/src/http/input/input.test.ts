import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { KithError } from "../../lib/errors.ts";
import { flag, readInput, readNeeded, text, uint } from "./input.ts";
import { compileParameters } from "./parameter.ts";

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

test("fields outside of the schema are left out, and so is null", () => {
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

test("each keyword of a schema is enforced, and said", () => {
  const cases: [TSchema, unknown[], unknown[], string][] = [
    [
      Type.String({ minLength: 2, maxLength: 3 }),
      ["ab", "🦌🦌🦌"],
      ["", "a", "🦌", "abcd", "🦌🦌🦌🦌"],
      "a single text of at least 2 characters, of at most 3 characters",
    ],
    [
      Type.String({ pattern: "^[a-z]+$" }),
      ["abc"],
      ["", "A", "a1"],
      "a single text of the form ^[a-z]+$",
    ],
    [
      Type.String({ format: "date" }),
      ["2027-02-28"],
      ["", "2027-02-30", "tomorrow"],
      "a single text of the format date",
    ],
    [Type.String({ enum: ["a", "b"] }), ["a"], ["", "c"], "one of a, b"],
    [
      Type.Integer({ minimum: -2, maximum: 3 }),
      ["-2", 3],
      ["-3", 4, "x"],
      "a whole number from -2 to 3",
    ],
    [
      Type.Array(Type.Integer({ minimum: 1 }), {
        ...{ minItems: 2, maxItems: 3, uniqueItems: true },
      }),
      [
        ["1", "2"],
        [3, 2, 1],
      ],
      ["1", ["1", "1"], [1, 2, 3, 4], ["0", "1"], ["", "1"]],
      "given at least 2 and at most 3 times, none of them twice, and each time be a whole number from 1 on",
    ],
  ];
  for (const [schema, right, wrong, expected] of cases) {
    const input = Type.Object({ it: Type.Optional(schema) });
    for (const it of right) assert.ok("it" in readInput(input, { it }));
    for (const it of wrong)
      assert.throws(
        () => readInput(input, { it }),
        {
          code: "bad_request",
          message: `The parameter it must be ${expected}.`,
        },
        JSON.stringify(it),
      );
  }
});

test("a text that is needed and blank is empty, whatever length it must have", () => {
  const input = Type.Object({
    it: Type.Optional(Type.String({ minLength: 3 })),
  });
  const read = (it: string) => readNeeded(input, ["it"], { it });
  assert.deepEqual(read("abc"), { it: "abc" });
  for (const blank of ["", " ", "\n"])
    assert.throws(() => read(blank), { code: "empty_string" });
  assert.throws(() => read("ab"), { code: "bad_request" });
});

test("a keyword that nothing enforces is refused in the schema of a parameter", () => {
  const schemas: TSchema[] = [
    Type.String({ maxlength: 3 }),
    Type.String({ minimum: 3 }),
    Type.String({ format: "colour" }),
    Type.Integer({ multipleOf: 2 }),
    Type.Boolean({ enum: [true] }),
    Type.Array(Type.String({ max: 3 })),
    Type.Number(),
    Type.Object({}),
  ];
  for (const schema of schemas)
    assert.throws(
      () => compileParameters(Type.Object({ it: schema })),
      /^Error: it: /,
    );
});

test("a list leaves out what stands for nothing", () => {
  assert.deepEqual(read({ ids: ["", "3"] }), { ids: [3] });
  assert.deepEqual(read({ ids: "" }), { ids: [] });
});
