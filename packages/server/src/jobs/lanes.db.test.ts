import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE } from "./job.ts";
import { leaseJobs } from "./stores/lease-store.ts";
import { NOTE, openQueue, type Queue } from "./queue.fixture.ts";

describe("lanes", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    test("jobs of one lane run one after the other, in the order in which they came", async () => {
      let running = 0;
      queue.act(async () => {
        running += 1;
        assert.equal(running, 1, "two jobs of a lane at once");
        await queue.db.read.selectFrom("jobs").select("id").execute();
        running -= 1;
        return DONE;
      });
      const names = Array.from({ length: 12 }, (_, index) => `job ${index}`);
      for (const name of names) await queue.put(name, { lane: "a" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, names);
      assert.deepEqual(await queue.rows(), []);
    });

    test("a lane waits for its head, and other lanes do not wait with it", async () => {
      let isBroken = true;
      queue.act(async (name) =>
        name === "head" && isBroken
          ? { kind: "retry", afterMs: 60_000, reason: "not yet" }
          : DONE,
      );
      await queue.put("head", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      await queue.put("elsewhere", { lane: "b" });
      await queue.put("laneless");
      await queue.worker.settle();
      assert.deepEqual(queue.ran.toSorted(), ["elsewhere", "head", "laneless"]);

      await queue.put("later", { lane: "a" });
      queue.clock.advance(59_000);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 3, "nothing passes the head");

      isBroken = false;
      queue.clock.advance(2_000);
      await queue.worker.settle();
      assert.deepEqual(queue.ran.slice(3), ["head", "behind", "later"]);
    });

    test("jobs behind a postponed head are not looked at until the head is due", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      await queue.put("head", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      await queue.worker.settle();
      const [head, behind] = await queue.rows();
      assert.ok(head && behind);
      assert.equal(head.run_at, "2026-01-01T00:01:00.000Z");
      assert.equal(behind.run_at, head.run_at);
      assert.equal(behind.attempts, 0);
    });

    test("a job enqueued behind a postponed head is postponed with it, and nothing waits for it", async () => {
      queue.act(async (name) =>
        name === "head"
          ? { kind: "retry", afterMs: 60_000, reason: "no" }
          : DONE,
      );
      await queue.put("head", { lane: "a" });
      await queue.worker.settle();
      await queue.put("late", { lane: "a" });
      await queue.put("later", { lane: "a" });
      await queue.put("elsewhere", { lane: "b" });
      await queue.worker.settle();
      const rows = await queue.rows();
      assert.deepEqual(
        rows.map(({ run_at }) => run_at),
        Array.from({ length: 3 }, () => "2026-01-01T00:01:00.000Z"),
      );
      assert.deepEqual(queue.ran, ["head", "elsewhere"]);
    });

    test("settling waits for nothing that may not start", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      await queue.put("head", { lane: "a" });
      await queue.worker.settle();
      await queue.put("behind", { lane: "a" });
      // As where it was put in while the head was on its way to be put off.
      const now = queue.clock.now().toISOString();
      await queue.db.transaction((tx) =>
        sql`update jobs set run_at = ${now} where attempts = 0`.execute(tx),
      );
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["head"]);
    });

    test("settling ends with the worker, though what it interrupted is due at once", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 0, reason: "stop" }));
      await queue.put("one");
      await queue.worker.stop();
      await queue.worker.settle();
      assert.deepEqual(queue.ran, []);
    });

    test("a job that leaves its lane lets the others pass, and runs again alone", async () => {
      queue.act(async (name, { job }) =>
        name === "head" && job.attempts === 1
          ? { kind: "retry", afterMs: 1_000, reason: "wait", leaveLane: true }
          : DONE,
      );
      await queue.put("head", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["head", "behind"]);
      queue.clock.advance(1_000);
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["head", "behind", "head"]);
      assert.deepEqual(await queue.rows(), []);
    });

    test("a dead head no longer keeps its lane", async () => {
      queue.act(async (name) =>
        name === "head" ? { kind: "give_up", reason: "rejected" } : DONE,
      );
      await queue.put("head", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["head", "behind"]);
      const rows = await queue.rows();
      assert.deepEqual(
        rows.map(({ state, last_error }) => [state, last_error]),
        [["dead", "rejected"]],
      );
    });

    test("a lane takes one job of its kind where it is put in once", async () => {
      const put = () =>
        queue.db.transaction((tx) =>
          queue.jobs.enqueueOnce(
            tx,
            { name: "note", pool: "work", maxAttempts: 3 },
            { name: "only" },
            { lane: "once" },
          ),
        );
      await Promise.all([put(), put(), put()]);
      assert.equal((await queue.rows()).length, 1);
      await queue.worker.settle();
      await put();
      assert.equal((await queue.rows()).length, 1, "the first has ended");
    });

    test("a job that comes while the job of its lane runs is looked at by another worker", async () => {
      const put = () =>
        queue.db.transaction((tx) =>
          queue.jobs.enqueueUnlessWaiting(
            tx,
            NOTE,
            { name: "look" },
            { lane: "looking" },
          ),
        );
      let count = 0;
      queue.act(async () => {
        count += 1;
        if (count === 1) await Promise.all([put(), put()]);
        return DONE;
      });
      await Promise.all([put(), put()]);
      assert.equal((await queue.rows()).length, 1);
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["look", "look"]);
      assert.deepEqual(await queue.rows(), []);
    });

    test("the job that waits instead begins only when it can see what was written with it", async () => {
      const options = { lane: "looking" };
      await queue.put("look", options);
      const [{ id } = { id: 0 }] = await queue.rows();
      const { db, clock } = queue;
      const lease = () =>
        db.transaction((tx) =>
          leaseJobs(db, tx, 1, [{ id, host: null }], clock.now()),
        );
      const lot = await db.transaction(async (tx) => {
        const note = { name: "look" };
        await queue.jobs.enqueueUnlessWaiting(tx, NOTE, note, options);
        // On SQLite the lease waits for the end of this transaction anyway.
        return kind === "postgres" ? lease() : [];
      });
      assert.deepEqual(lot, []);
      assert.equal((await lease()).length, 1);
      assert.equal((await queue.rows()).length, 1);
    });
  });
});
