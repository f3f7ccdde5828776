import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyRequest } from "fastify";
import { text, uint } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { readSent } from "./route.ts";

const ROUTE = {
  path: "/posts/:id/likes/:positive",
  input: Type.Object({
    name: Type.Optional(
      Type.String({ minLength: 3, maxLength: 5, pattern: "^[a-z]*$" }),
    ),
    day: Type.Optional(Type.String({ format: "date" })),
    size: uint("A number"),
    said: text("A text"),
  }),
  needs: ["name"],
} as const;

const read = (parameters: object, params: object = {}) =>
  readSent(ROUTE, { parameters, params } as FastifyRequest);

test("a route gets only what its schemas allow, in the path and beside it", () => {
  const sent = { name: "anna", day: "2027-02-28", size: "7", other: 1 };
  const { input, path } = read(sent, { id: "5", positive: "off" });
  assert.deepEqual(input, { name: "anna", day: "2027-02-28", size: 7 });
  assert.deepEqual([path("id"), path("positive")], ["5", "off"]);
});

test("a value that a schema forbids reaches no handler", () => {
  const wrong: [string, unknown][] = [
    ["name", "an"],
    ["name", "annabel"],
    ["name", "Anna"],
    ["name", ["anna", "bob"]],
    ["day", "2027-02-30"],
    ["size", -1],
    ["said", "a\0b"],
  ];
  for (const [name, value] of wrong)
    assert.throws(() => read({ name: "anna", [name]: value }), {
      code: "bad_request",
      message: new RegExp(`^The parameter ${name} must be `),
    });
  assert.throws(() => read({ day: "2027-02-28" }), { code: "empty_string" });
  assert.throws(() => read({ name: "anna" }, { positive: "maybe" }), {
    code: "bad_request",
    message:
      "The parameter positive must be one of true, false, 1, 0, on and off.",
  });
});
