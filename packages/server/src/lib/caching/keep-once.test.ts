import assert from "node:assert/strict";
import { test } from "node:test";
import { keepOnce } from "./keep-once.ts";

test("a value that many ask for at once is made once, and kept", async () => {
  let made = 0;
  const get = keepOnce(async () => (made += 1));
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
  assert.equal(await get(), 1);
});

test("a failure reaches all callers, and the next call tries again", async () => {
  let tries = 0;
  const get = keepOnce(async () => {
    tries += 1;
    if (tries < 3) throw new Error(`try ${tries}`);
    return tries;
  });
  const both = await Promise.allSettled([get(), get()]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(tries, 1);
  await assert.rejects(get(), { message: "try 2" });
  assert.equal(await get(), 3);
  assert.equal(await get(), 3);
});
