import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE, jobKind, recurringKind } from "./job.ts";
import { openQueue, type Queue } from "./queue.fixture.ts";

const FOREVER = recurringKind("forever");

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

    /** A started worker works by itself. */
    const waitUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
      for (let tries = 0; !(await isDone()); tries += 1) {
        assert.ok(tries < 500, "it takes too long");
        await sleep(20);
      }
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

    test("a recurring job never dies: it pauses longer, until it succeeds again", async () => {
      let isBroken = true;
      let starts = 0;
      queue.worker.handle(FOREVER, async () => {
        starts += 1;
        if (isBroken) throw new Error("the disk was full");
        return { kind: "again", afterMs: 1_000 };
      });
      await queue.db.transaction((tx) =>
        queue.jobs.ensureRecurring(tx, [FOREVER]),
      );
      const times = FOREVER.maxAttempts + 20;
      for (let attempt = 1; attempt <= times; attempt += 1) {
        await queue.worker.settle();
        assert.equal(starts, attempt);
        queue.clock.advance(await pauseOf());
      }
      const [row] = await queue.rows();
      assert.equal(row?.state, "ready");
      assert.equal(row.last_error, "the disk was full");
      isBroken = false;
      await queue.worker.settle();
      assert.equal(await pauseOf(), 1_000);
      assert.equal((await queue.rows())[0]?.attempts, 0);
    });

    test("recurring jobs that all wait for an hour begin anew at the next start", async () => {
      const daily = recurringKind("daily");
      const kinds = [FOREVER, daily];
      const ensure = () =>
        queue.db.transaction((tx) => queue.jobs.ensureRecurring(tx, kinds));
      await ensure();
      const waits = async () =>
        (await queue.rows()).map(
          ({ run_at }) => Date.parse(run_at) - queue.clock.now().getTime(),
        );
      queue.worker.handle(FOREVER, async () => ({
        ...{ kind: "again", afterMs: 60_000 },
      }));
      queue.worker.handle(daily, async () => ({
        ...{ kind: "again", afterMs: 86_400_000 },
      }));
      await queue.worker.settle();
      await ensure();
      assert.deepEqual(await waits(), [60_000, 86_400_000]);
      queue.clock.advance(-3_600_000);
      await ensure();
      assert.deepEqual(await waits(), [0, 0]);
    });

    test("a recurring job runs on after the clock was set back a day", async () => {
      let runs = 0;
      queue.worker.handle(FOREVER, async () => {
        runs += 1;
        return { kind: "again", afterMs: 60_000 };
      });
      await queue.db.transaction((tx) =>
        queue.jobs.ensureRecurring(tx, [FOREVER]),
      );
      queue.worker.start();
      await waitUntil(async () => (await pauseOf()) === 60_000);
      queue.clock.advance(-86_400_000);
      await waitUntil(async () => runs === 2 && (await pauseOf()) === 60_000);
    });

    test("a recurring job that was given up, or waits for a time in another year, begins anew at the next start", async () => {
      const kinds = [FOREVER, recurringKind("beside it")];
      const ensure = () =>
        queue.db.transaction((tx) => queue.jobs.ensureRecurring(tx, kinds));
      await ensure();
      const set = (values: { state?: string; run_at?: string }) =>
        queue.db.transaction((tx) =>
          tx
            .updateTable("jobs")
            .set(values)
            .where("kind", "=", FOREVER.name)
            .execute(),
        );
      await set({ state: "dead" });
      await ensure();
      assert.deepEqual(
        (await queue.rows()).map(({ state }) => state),
        ["ready", "ready"],
      );
      await set({ run_at: "2036-01-01T00:00:00.000Z" });
      await ensure();
      const due = queue.clock.now().toISOString();
      for (const { run_at } of await queue.rows()) assert.equal(run_at, due);
    });

    test("a recurring job is there once, however many processes ask for it at once", async () => {
      const ensure = () =>
        queue.db.transaction((tx) => queue.jobs.ensureRecurring(tx, [FOREVER]));
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
