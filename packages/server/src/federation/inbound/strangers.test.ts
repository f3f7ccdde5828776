import assert from "node:assert/strict";
import { test } from "node:test";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import type { PersonId } from "../../features/ids.ts";
import { createLimits } from "../../lib/limits/limits.ts";
import { createStrangers } from "./strangers.ts";

const stranger = {
  id: 1 as PersonId,
  handle: "ann@stranger.example",
  userId: null,
};

/** Two objects a day are admitted of each person. */
const create = () =>
  createStrangers({
    limits: createLimits({ clock: new TestClock(), factor: 1 }),
    factor: 2 / 1_000,
    contacts: { hasFollowersHere: async () => false },
  });

test("an object counts once, however often its transaction runs again", async () => {
  const strangers = create();
  for (let object = 0; object < 2; object++) {
    const admit = strangers.admitOnce(stranger);
    for (let run = 0; run < 5; run++)
      assert.equal(await admit(false, async () => true), true);
  }
  const third = strangers.admitOnce(stranger);
  assert.equal(await third(false, async () => true), false);
});

test("an object that is not new, or fails, counts nothing", async () => {
  const strangers = create();
  const admit = strangers.admitOnce(stranger);
  for (let run = 0; run < 5; run++) {
    assert.equal(await admit(false, async () => false), false);
    await assert.rejects(
      admit(false, async () => {
        throw new Error("rolled back");
      }),
      /rolled back/,
    );
  }
  for (let object = 0; object < 2; object++)
    assert.equal(
      await strangers.admitOnce(stranger)(false, async () => true),
      true,
    );
});

test("the objects of a followed person are not counted", async () => {
  const strangers = create();
  for (let object = 0; object < 5; object++)
    assert.equal(
      await strangers.admitOnce(stranger)(true, async () => true),
      true,
    );
});
