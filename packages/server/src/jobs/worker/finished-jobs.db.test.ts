import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { DONE } from "../job.ts";
import {
  createTestWorker,
  livingInstance,
  NOTE,
  openQueue,
  type Queue,
} from "../queue.fixture.ts";
import type { Worker } from "./worker.ts";

/** Otherwise a test that waits for ever would wait for its process. */
const IN_TIME = { timeout: 60_000 };

describe("finished jobs", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let worker: Worker;
    /** The names of the jobs of each removal. */
    let removed: string[][];
    beforeEach(async () => {
      queue = await openQueue(kind);
      removed = [];
      worker = createTestWorker(
        {
          ...queue,
          elapsedMs: () => 0,
          onSettled: async (_tx, jobs) => {
            removed.push(jobs.map(({ payload }) => nameIn(payload)).toSorted());
          },
        },
        livingInstance(2),
      );
    });
    afterEach(async () => {
      await worker.stop();
      await queue.close();
    });

    test(
      "are removed together with those that end soon after, and wait for nothing else",
      IN_TIME,
      async (t) => {
        // No time passes: a removal that waits for others waits for ever.
        t.mock.timers.enable({ apis: ["setTimeout"] });
        const ends = new Map<string, () => void>();
        worker.handle(NOTE, async ({ name }) => {
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return DONE;
        });
        for (const name of ["one", "two", "three"]) await queue.put(name);
        const settled = worker.settle();
        await until(() => ends.size === 3);
        ends.get("one")?.();
        await until(() => removed.length === 1);
        ends.get("two")?.();
        await passTurns();
        assert.deepEqual(removed, [["one"]]);
        ends.get("three")?.();
        await settled;
        assert.deepEqual(removed, [["one"], ["three", "two"]]);
      },
    );

    test("of a chain wait for nothing", IN_TIME, async (t) => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      const chain = ["first", "second", "third", "fourth"];
      worker.handle(NOTE, async ({ name }) => {
        const next = chain[chain.indexOf(name) + 1];
        if (next !== undefined) await queue.put(next);
        return DONE;
      });
      await queue.put("first");
      await worker.settle();
      assert.deepEqual(
        removed,
        chain.map((name) => [name]),
      );
    });
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }

  /** Longer than a removal would take. */
  async function passTurns(): Promise<void> {
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
  }
});

function nameIn(payload: unknown): string {
  return (payload as { name: string }).name;
}
