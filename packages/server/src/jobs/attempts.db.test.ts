import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/databases.ts";
import { DONE, jobKind } from "./job.ts";
import { openQueue, type Queue } from "./queue.fixture.ts";

describe("attempts", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    const pauseOf = async (): Promise<number> => {
      const [row] = await queue.rows();
      assert.ok(row);
      return Date.parse(row.run_at) - queue.clock.now().getTime();
    };

    test("a job that throws is tried again after growing pauses, until it is dead", async () => {
      queue.act(() => Promise.reject(new Error("broken")));
      await queue.put("fails");
      for (const base of [2_000, 4_000]) {
        await queue.worker.settle();
        const pause = await pauseOf();
        assert.ok(pause >= base * 0.8 && pause <= base * 1.2, `${pause} ms`);
        queue.clock.advance(pause - 1);
        await queue.worker.settle();
        queue.clock.advance(1);
      }
      assert.equal(queue.ran.length, 2, "never before its time");
      await queue.worker.settle();
      const [row] = await queue.rows();
      assert.equal(row?.state, "dead");
      assert.equal(row.last_error, "broken");
      assert.equal(row.attempts, 3);
      queue.clock.advance(365 * 24 * 3_600_000);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 3, "what is dead stays, and does not run");
      assert.equal((await queue.rows()).length, 1);
    });

    test("a handler sets its own pause, and is not limited in its attempts", async () => {
      queue.act(async (_name, { job }) =>
        job.attempts < 6
          ? { kind: "retry", afterMs: 1_000, reason: "busy" }
          : DONE,
      );
      await queue.put("patient");
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        await queue.worker.settle();
        assert.equal(queue.ran.length, attempt);
        queue.clock.advance(1_000);
      }
      assert.deepEqual(await queue.rows(), []);
    });

    test("what recurs counts its attempts anew, so that a rare failure never ends it", async () => {
      let isBroken = false;
      queue.act(async () => {
        if (isBroken) throw new Error("the disk was full");
        return { kind: "again", afterMs: 1_000 };
      });
      await queue.put("recurs");
      for (let round = 0; round < 5; round += 1) {
        await queue.worker.settle();
        queue.clock.advance(1_000);
      }
      isBroken = true;
      await queue.worker.settle();
      const [row] = await queue.rows();
      assert.equal(row?.state, "ready");
      assert.equal(row.attempts, 1);
    });

    test("a recurring job is there once, however many processes ask for it at once", async () => {
      const FOREVER = jobKind<Record<string, never>>("forever");
      const ensure = () =>
        queue.db.transaction((tx) => queue.jobs.ensureRecurring(tx, FOREVER));
      await Promise.all([ensure(), ensure(), ensure(), ensure()]);
      await ensure();
      assert.deepEqual(
        (await queue.rows()).map((row) => row.kind),
        ["forever"],
      );
    });

    test("a job waits for its time, and what was put in by a failed transaction never runs", async () => {
      const inAMinute = new Date(queue.clock.now().getTime() + 60_000);
      await queue.put("tomorrow", { runAt: inAMinute });
      await assert.rejects(
        queue.db.transaction(async (tx) => {
          await queue.jobs.enqueue(
            tx,
            { name: "note", pool: "work", maxAttempts: 1 },
            { name: "never" },
          );
          throw new Error("the use case failed");
        }),
        /the use case failed/,
      );
      await queue.worker.settle();
      assert.deepEqual(queue.ran, []);
      queue.clock.advance(60_000);
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["tomorrow"]);
    });

    test("a job of a kind that this worker does not know is left to others", async () => {
      const NEWER = jobKind<Record<string, never>>("newer");
      await queue.db.transaction((tx) => queue.jobs.enqueue(tx, NEWER, {}));
      await queue.worker.settle();
      const [row] = await queue.rows();
      assert.equal(row?.state, "ready");
      assert.equal(row.attempts, 0);
    });
  });
});
