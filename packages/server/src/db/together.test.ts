import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { together } from "./together.ts";

test("results come in the order of their parts, also of those that were there already", async () => {
  const given = await together([sleep(5, "slow"), undefined, "here"]);
  assert.deepEqual(given, ["slow", undefined, "here"]);
});

test("the first error in order is thrown, after all parts have ended", async () => {
  let hasEnded = false;
  const slow = sleep(10).then(() => {
    hasEnded = true;
    throw new Error("slow");
  });
  const fast = Promise.reject(new Error("fast"));
  await assert.rejects(together([slow, fast]), { message: "slow" });
  assert.ok(hasEnded);
});
