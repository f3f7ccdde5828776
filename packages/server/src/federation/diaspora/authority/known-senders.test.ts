import assert from "node:assert/strict";
import { test } from "node:test";
import { takeRsaPair } from "../../../../test/support/server/rsa-pairs.ts";
import { TestClock } from "../../../../test/support/server/test-clock.ts";
import type { People, Person } from "../../../features/people/index.ts";
import { createKnownSenders } from "./known-senders.ts";

test("senders who come once do not have one forgotten who goes on writing", async () => {
  const clock = new TestClock();
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  const { publicKeyPem } = takeRsaPair();
  let looked = 0;
  const find = async ({ handle }: { readonly handle?: string }) => {
    if (handle === "busy@a.example") looked += 1;
    return { handle, publicKeyPem, hasDiasporaKey: true } as Person;
  };
  const findSender = createKnownSenders({
    clock,
    people: { find } as unknown as People,
  });
  await findSender("busy@a.example");
  for (let n = 0; n < 15_000; n += 1) {
    await findSender(`once${n}@b.example`);
    if (n % 5_000 === 0) await findSender("busy@a.example");
  }
  assert.ok(await findSender("busy@a.example"));
  assert.equal(looked, 1);
});
