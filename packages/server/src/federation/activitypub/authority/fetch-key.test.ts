import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonLd } from "@kith/activitypub";
import { TestClock } from "../../../../test/support/server/test-clock.ts";
import { KithError } from "../../../lib/errors.ts";
import { createFetchKey } from "./fetch-key.ts";

const noJsonLd: JsonLd = {
  compact: async () => assert.fail("Nothing is read"),
  canonize: async () => assert.fail("Nothing is read"),
};

test("ten thousand made-up keys do not have one asked for again that is still named", async () => {
  const clock = new TestClock();
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  let asked = 0;
  const fetchKey = createFetchKey({
    clock,
    jsonLd: noJsonLd,
    fetchDocument: async (url) => {
      if (url === DEAD) asked += 1;
      return undefined;
    },
    discoverActor: async () => undefined,
  });
  const fails = (keyId: string) => assert.rejects(fetchKey(keyId), KithError);
  await fails(DEAD);
  for (let n = 0; n < 15_000; n += 1) {
    await fails(`https://made-up.example/${n}#key`);
    if (n % 5_000 === 0) await fails(DEAD);
  }
  await fails(DEAD);
  assert.equal(asked, 1);
});

const DEAD = "https://dead.example/actor";
