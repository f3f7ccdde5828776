import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { DONE, type JobResult } from "../job.ts";
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
    /** Called within each removal. */
    let onRemoval: () => Promise<void>;
    /** Ends the running job of that name. */
    let ends: Map<string, (result: JobResult) => void>;
    beforeEach(async () => {
      // No time passes: a removal that waits for others waits for ever. From the
      // beginning, since mocked timers cannot clear real ones.
      mock.timers.enable({ apis: ["setTimeout"] });
      queue = await openQueue(kind);
      removed = [];
      onRemoval = async () => {};
      ends = new Map();
      worker = createTestWorker(
        {
          ...queue,
          elapsedMs: () => 0,
          onSettled: async (_tx, jobs) => {
            removed.push(jobs.map(({ payload }) => nameIn(payload)).toSorted());
            await onRemoval();
          },
        },
        livingInstance(2),
      );
    });
    afterEach(async () => {
      // Otherwise a worker whose jobs wait for ever would never stop.
      mock.timers.reset();
      await worker.stop();
      await queue.close();
    });

    test(
      "are removed together with those that end soon after",
      IN_TIME,
      async () => {
        const settled = await leaveTwoWaiting();
        end("three");
        await settled();
        assert.deepEqual(removed, [["one"], ["three", "two"]]);
      },
    );

    test(
      "of the last ones wait for nothing, though another's removal is under way",
      IN_TIME,
      async () => {
        const settled = await startThree();
        let goOn = (): void => {};
        onRemoval = () => new Promise((resolve) => (goOn = resolve));
        end("one");
        await until(() => removed.length === 1);
        onRemoval = async () => {};
        for (const name of ["two", "three"]) end(name);
        await passTurns();
        goOn();
        await settled();
        assert.deepEqual(removed, [["one"], ["three", "two"]]);
      },
    );

    test(
      "wait no longer than the last other job runs, also if that one fails",
      IN_TIME,
      async () => {
        const settled = await leaveTwoWaiting();
        end("three", { kind: "give_up", reason: "Enough" });
        await settled();
        assert.deepEqual(removed.flat().toSorted(), ["one", "three", "two"]);
      },
    );

    test("of a chain wait for nothing", IN_TIME, async () => {
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

    /** Ends one, which is removed at once, and two, which waits for three. */
    async function leaveTwoWaiting(): Promise<() => Promise<void>> {
      const settled = await startThree();
      end("one");
      await until(() => removed.length === 1);
      end("two");
      await passTurns();
      assert.deepEqual(removed, [["one"]]);
      return settled;
    }

    /** Starts the jobs one, two and three. @returns waits until all have ended */
    async function startThree(): Promise<() => Promise<void>> {
      worker.handle(NOTE, ({ name }) => {
        const { promise, resolve } = Promise.withResolvers<JobResult>();
        ends.set(name, resolve);
        return promise;
      });
      for (const name of ["one", "two", "three"]) await queue.put(name);
      const settled = worker.settle();
      await until(() => ends.size === 3);
      return () => settled;
    }

    function end(name: string, result: JobResult = DONE): void {
      ends.get(name)?.(result);
    }
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }

  /** Longer than a removal takes to begin. */
  async function passTurns(): Promise<void> {
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
  }
});

function nameIn(payload: unknown): string {
  return (payload as { name: string }).name;
}
