import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { keepOnce } from "./keep-once.ts";
import {
  endOldReads,
  mayReadOld,
  withCurrentReads,
  withOldReads,
} from "./old-reads.ts";
import { createTtlCache } from "./ttl-cache.ts";

describe("reads that may be old", () => {
  test("are those of the work that allows it, up to its end", async () => {
    assert.equal(mayReadOld(), false);
    let later: Promise<boolean> | undefined;
    await withOldReads(async () => {
      assert.equal(mayReadOld(), true);
      await turn();
      assert.equal(mayReadOld(), true);
      later = turn().then(() => turn(mayReadOld()));
    });
    assert.equal(mayReadOld(), false);
    assert.equal(await later, false, "work that it left running");
  });

  test("end for the rest of the work when it writes, and for no other", async () => {
    const other = withOldReads(async () => {
      await turn();
      return mayReadOld();
    });
    await withOldReads(async () => {
      endOldReads();
      assert.equal(mayReadOld(), false);
      await turn();
      assert.equal(mayReadOld(), false);
    });
    assert.equal(await other, true);
  });

  test("also end where the work fails", async () => {
    let later: Promise<boolean> | undefined;
    const failing = withOldReads(async () => {
      later = turn().then(() => mayReadOld());
      throw new Error("no");
    });
    await assert.rejects(failing, { message: "no" });
    assert.equal(await later, false);
  });

  test("fill no cache", async () => {
    const clock = { now: () => new Date(0) };
    const found = await withOldReads(async () => [
      await withCurrentReads(async () => mayReadOld()),
      await keepOnce(async () => mayReadOld())(),
      await createTtlCache(clock, 1_000, async () => mayReadOld()).get(),
      mayReadOld(),
    ]);
    assert.deepEqual(found, [false, false, false, true]);
  });
});
