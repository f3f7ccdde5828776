import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { DONE } from "../job.ts";
import {
  awaitLook,
  createTestWorker,
  livingInstance,
  loseLease,
  NOTE,
  openQueue,
  type Queue,
} from "../queue.fixture.ts";
import type { Worker } from "./worker.ts";

describe("worker", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let other: Worker | undefined;
    let polls: number;
    beforeEach(async () => {
      polls = 0;
      queue = await openQueue(kind, (_ms, text) => {
        if (text.startsWith("with looked")) polls += 1;
      });
    });
    afterEach(async () => {
      await other?.stop();
      other = undefined;
      await queue.close();
    });

    /** Leaves a job leased by the queue's own worker, number 1, in the middle of its work. */
    async function leaseAndHang(name: string): Promise<() => void> {
      const finish = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      queue.act(async () => {
        started.resolve();
        await finish.promise;
        return DONE;
      });
      await queue.put(name);
      queue.worker.start();
      await started.promise;
      return finish.resolve;
    }

    /** Starts worker 2, which knows that `ended` have ended; resolves with what it runs next. */
    function startOther(ended: readonly number[]): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      other = createTestWorker(queue, livingInstance(2, ended));
      other.handle(NOTE, async ({ name }) => {
        resolve(name);
        return DONE;
      });
      other.start();
      return promise;
    }

    test("runs again what it has leased and does not run: its lease or its end was lost", async () => {
      await loseLease(queue, "lost");
      const ran = Promise.withResolvers<string>();
      queue.act(async (name) => {
        ran.resolve(name);
        return DONE;
      });
      queue.worker.start();
      assert.equal(await ran.promise, "lost");
    });

    test("leaves alone what it runs just now", async () => {
      const finish = await leaseAndHang("slow");
      await awaitLook(queue);
      assert.deepEqual(queue.ran, ["slow", "lost"]);
      const [row] = await queue.rows();
      assert.equal(row?.state, "leased");
      finish();
    });

    test("runs from its start to its stop", async () => {
      assert.equal(queue.worker.isRunning(), false);
      queue.worker.start();
      assert.equal(queue.worker.isRunning(), true);
      const stopped = queue.worker.stop();
      assert.equal(queue.worker.isRunning(), false);
      await stopped;
    });

    test("takes over the leases of an instance that has ended, at once", async () => {
      const finish = await leaseAndHang("abandoned");
      assert.equal(await startOther([1]), "abandoned");
      finish();
    });

    test("leaves the leases of an instance that lives", async () => {
      const finish = await leaseAndHang("in work");
      const looked = Promise.withResolvers<void>();
      other = createTestWorker(queue, {
        ...livingInstance(2),
        ended: async () => {
          looked.resolve();
          return [];
        },
      });
      other.handle(NOTE, async () => {
        throw new Error("It was not free");
      });
      other.start();
      await looked.promise;
      await other.stop();
      const [leased] = await queue.rows();
      assert.equal(leased?.leased_by, 1);
      assert.equal(leased.attempts, 1);
      finish();
      await queue.worker.stop();
      assert.deepEqual(queue.ran, ["in work"]);
      assert.deepEqual(await queue.rows(), []);
    });

    test("wakes for a new job instead of waiting for its next look", async () => {
      const ran = Promise.withResolvers<number>();
      queue.act(async () => {
        ran.resolve(performance.now());
        return DONE;
      });
      queue.worker.start();
      await queue.db.transaction(async () => {});
      const laps: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const done = Promise.withResolvers<void>();
        queue.act(async () => {
          done.resolve();
          return DONE;
        });
        const putAt = performance.now();
        await queue.put(`job ${round}`);
        await done.promise;
        laps.push(performance.now() - putAt);
      }
      // A worker that only polled would look 500 ms after its last job ended.
      const median = laps.toSorted((a, b) => a - b)[10] ?? NaN;
      assert.ok(median < 400, `${Math.round(median)} ms for a job`);
    });

    test("works off many jobs in free slots, none of them twice", async () => {
      const names = Array.from({ length: 200 }, (_, index) => String(index));
      await queue.db.transaction(async (tx) => {
        for (const name of names) await queue.jobs.enqueue(tx, NOTE, { name });
      });
      other = createTestWorker(queue, livingInstance(2));
      other.handle(NOTE, async ({ name }) => {
        queue.ran.push(name);
        return DONE;
      });
      await Promise.all([queue.worker.settle(), other.settle()]);
      assert.deepEqual(queue.ran.toSorted(), names.toSorted());
      assert.deepEqual(await queue.rows(), []);
    });

    test("a host that is slow leaves slots for the others", async () => {
      const release = Promise.withResolvers<void>();
      const quick = Promise.withResolvers<void>();
      queue.act(async (name) => {
        if (name === "quick") quick.resolve();
        else await release.promise;
        return DONE;
      });
      await queue.db.transaction(async (tx) => {
        for (let index = 0; index < 40; index += 1)
          await queue.jobs.enqueue(
            tx,
            NOTE,
            { name: `slow ${index}` },
            { host: "https://slow.example" },
          );
        await queue.jobs.enqueue(
          tx,
          NOTE,
          { name: "quick" },
          { host: "https://quick.example" },
        );
      });
      queue.worker.start();
      await quick.promise;
      assert.ok(queue.ran.length <= 16, `${queue.ran.length} run at once`);
      release.resolve();
      await queue.worker.settle();
      assert.equal(queue.ran.length, 41);
    });

    test("polls the pools whose jobs may start after the end of another, and leaves out the others", async () => {
      const jobs = 40;
      for (let n = 0; n < jobs; n += 1)
        await queue.put(`job ${n}`, { lane: "one after the other" });
      polls = 0;
      queue.worker.start();
      while (queue.ran.length < jobs)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await queue.worker.stop();
      assert.ok(polls >= jobs, `${polls} polls`);
      assert.ok(polls < 2.5 * jobs, `${polls} polls of three pools`);
    });

    test("stopping signals running jobs, waits for them, and starts none", async () => {
      const started = Promise.withResolvers<void>();
      let ended = false;
      queue.act(async (_name, { signal }) => {
        started.resolve();
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
        ended = true;
        return { kind: "retry", afterMs: 0, reason: "Interrupted" };
      });
      await queue.put("long");
      queue.worker.start();
      await started.promise;
      await queue.put("after", { runAt: new Date("2027-01-01") });
      await queue.worker.stop();
      assert.ok(ended);
      const [row] = await queue.rows();
      assert.equal(row?.state, "ready", "it runs again at the next start");
      assert.deepEqual(queue.ran, ["long"]);
    });
  });
});
