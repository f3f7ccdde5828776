import assert from "node:assert/strict";
import { test } from "node:test";
import { KithError } from "../../lib/errors.ts";
import { compileExpression } from "./expression.ts";

const MAD = "a".repeat(60_000);

test("an expression matches anywhere in a text", async () => {
  const { matches } = await compileExpression("(?i)gr[eé]be|^owl$");
  assert.ok(matches("A GRÉBE, indeed"));
  assert.ok(matches("owl"));
  assert.ok(!matches("an owl"));
  const day = await compileExpression("\\d{4}-\\d{2}-\\d{2}");
  assert.ok(day.matches("on 2026-01-02"));
});

test("no expression drives it mad", async () => {
  for (const source of [
    "(a+)+$",
    "(a|aa)+$",
    "(a*)*$",
    "(.*a){9}b",
    "a?".repeat(99),
  ]) {
    const { matches } = await compileExpression(source);
    const start = performance.now();
    matches(`${MAD}!`);
    assert.ok(performance.now() - start < 10_000, source);
  }
});

test("an expression that is broken, too long or too large is refused at once", async () => {
  for (const source of [
    ...["(", ")", "[z-a]", "*", "(?<=a)b", "(a)\\1", "a{2,1}", "\\pX"],
    ...["x".repeat(1_001), "(a{1000}){1000}", "a{1000}", "(\\w{30}){30}"],
    ...[`(${"ab?c|".repeat(190)}x){1000}`, "\\w{1000}".repeat(120)],
    "((((a{9}){9}){9}){9}){9}",
  ]) {
    const start = performance.now();
    await assert.rejects(
      compileExpression(source),
      (error) => error instanceof KithError && error.code === "bad_request",
      source.slice(0, 40),
    );
    assert.ok(performance.now() - start < 5_000, source.slice(0, 40));
  }
});
