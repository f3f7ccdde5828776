import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkBudget, WorkBudgetError } from "./work-budget.ts";

test("a budget ends with the work that uses it up, whether that succeeds or fails", () => {
  let nowMs = 0;
  const budget = new WorkBudget(10, () => nowMs);
  const take = (ms: number) => () => {
    nowMs += ms;
    return ms;
  };
  assert.equal(budget.spend(take(6)), 6);
  // Time between two pieces of work belongs to others.
  nowMs += 100;
  assert.throws(
    () =>
      budget.spend(() => {
        take(3)();
        throw new RangeError("Failed");
      }),
    RangeError,
  );
  assert.equal(budget.spend(take(50)), 50);
  assert.throws(() => budget.spend(assert.fail), WorkBudgetError);
});
