import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE, type JobResult, type OnSettled } from "./job.ts";
import {
  createTestWorker,
  livingInstance,
  NOTE,
  openQueue,
  type Queue,
} from "./queue.fixture.ts";
import { createQueueAdministration } from "./queue-administration.ts";
import type { Worker } from "./worker/worker.ts";

describe("the result of a job", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let worker: Worker | undefined;
    let ran: string[];
    beforeEach(async () => {
      queue = await openQueue(kind);
      ran = [];
    });
    afterEach(async () => {
      await worker?.stop();
      worker = undefined;
      await queue.close();
    });

    /** A worker that reports settled jobs to `onSettled`. */
    function work(
      onSettled: OnSettled,
      act: (name: string) => JobResult = () => DONE,
    ): Worker {
      worker = createTestWorker({ ...queue, onSettled }, livingInstance(2));
      worker.handle(NOTE, async ({ name }) => {
        ran.push(name);
        return act(name);
      });
      return worker;
    }

    test("is stored in the end, and the job runs once, though the database refused it at first", async () => {
      let failures = 0;
      const failing = work(async () => {
        if (failures < 3) throw new Error(`refused ${(failures += 1)}`);
      });
      await queue.put("sent");
      await failing.settle();
      assert.equal(failures, 3);
      assert.deepEqual(ran, ["sent"]);
      assert.deepEqual(await queue.rows(), []);
    });

    test("is stored in the end, however long the disk is full", async () => {
      const full = Object.assign(new Error("database or disk is full"), {
        ...(kind === "sqlite"
          ? { code: "ERR_SQLITE_ERROR", errcode: 13 }
          : { code: "53100" }),
      });
      let failures = 0;
      const failing = work(async () => {
        if (failures === 7) return;
        failures += 1;
        throw full;
      });
      await queue.put("sent");
      await failing.settle();
      assert.equal(failures, 7);
      assert.deepEqual(ran, ["sent"]);
      assert.deepEqual(await queue.rows(), []);
    });

    const RESULTS: readonly JobResult[] = [
      DONE,
      { kind: "give_up", reason: "gone" },
    ];
    for (const result of RESULTS)
      test(`is dead with its reason if it cannot be stored (${result.kind})`, async () => {
        const failing = work(
          async () => {
            throw new Error("no such post");
          },
          () => result,
        );
        await queue.put("odd");
        await failing.settle();
        assert.deepEqual(ran, ["odd"]);
        const [row] = await queue.rows();
        assert.equal(row?.state, "dead");
        assert.equal(
          row.last_error,
          "Its result cannot be stored: no such post",
        );
      });

    test("is stored, whatever words of others and times it holds", async () => {
      const odd = [
        { kind: "retry", afterMs: NaN, reason: "a\0b\ud800" },
        { kind: "retry", afterMs: Infinity, reason: "x".repeat(100_000) },
        { kind: "again", afterMs: 1e300 },
        {
          ...{ kind: "retry", afterMs: -5e15, reason: "" },
          missing: { name: "a\0b", isHere: async () => false },
        },
      ] as const satisfies readonly JobResult[];
      const strange = work(
        async () => {},
        (name) => (ran.length > 4 ? DONE : (odd[Number(name)] ?? DONE)),
      );
      for (const name of odd.keys()) await queue.put(String(name));
      await strange.settle();
      const rows = await queue.rows();
      assert.deepEqual(
        rows.map(({ state }) => state),
        ["ready", "ready", "ready"],
        "the last one was due at once",
      );
      for (const { run_at, last_error } of rows) {
        assert.match(run_at, /^202[67]-/);
        assert.ok((last_error ?? "").length <= 2_000);
      }
    });

    test("of one of many that ended together is no burden to the others", async () => {
      const names = Array.from({ length: 20 }, (_, index) => `${index}`);
      const failing = work(async (_tx, settled) => {
        for (const { payload } of settled)
          if ((payload as { name: string }).name === "7")
            throw new Error("no such post");
      });
      await queue.db.transaction(async (tx) => {
        for (const name of names) await queue.jobs.enqueue(tx, NOTE, { name });
      });
      await failing.settle();
      assert.deepEqual(ran.toSorted(), names.toSorted());
      const rows = await queue.rows();
      assert.deepEqual(
        rows.map(({ payload, state }) => [payload, state]),
        [['{"name":"7"}', "dead"]],
      );
    });

    test("is dead with its reason where nobody can read what it was to do, and others run", async () => {
      await queue.put("broken");
      await queue.put("held", { host: "https://gone.example" });
      await queue.db.transaction((tx) =>
        tx.updateTable("jobs").set({ payload: '{"name":' }).execute(),
      );
      await queue.put("sound");
      const settledPayloads: string[] = [];
      const sound = work(async (_tx, settled) => {
        for (const { payload } of settled)
          settledPayloads.push(JSON.stringify(payload));
      });
      const now = queue.clock.now();
      await queue.db.transaction((tx) =>
        queue.jobs.holdHost(tx, "https://gone.example", now, {
          since: new Date(now.getTime() + 1),
          reason: "too old",
        }),
      );
      await sound.settle();
      assert.deepEqual(ran, ["sound"]);
      assert.deepEqual(settledPayloads, ['{"name":"sound"}']);
      const [broken, held] = await queue.rows();
      assert.equal(broken?.state, "dead");
      assert.match(broken.last_error ?? "", /^Its payload cannot be read: /);
      assert.equal(broken.unsettled_leases, 0);
      assert.equal(held?.last_error, "too old");
      const administration = createQueueAdministration({
        ...queue,
        onDropped: async (_tx, jobs) => assert.deepEqual(jobs, []),
      });
      const { dropped } = await administration.drop(
        { kind: "note" },
        async () => {},
      );
      assert.equal(dropped, 2);
    });

    test("marks any number of given-up jobs before it as overtaken, once", async () => {
      const count = 40_000;
      await queue.db.transaction((tx) =>
        queue.jobs.enqueueAll(
          tx,
          NOTE,
          1,
          Array.from({ length: count + 1 }, () => ({
            payload: { name: "one of many" },
            options: { lane: "long" },
          })),
        ),
      );
      await queue.db.transaction((tx) =>
        tx
          .updateTable("jobs")
          .set({ state: "dead" })
          .where("id", "<=", count)
          .execute(),
      );
      await work(async () => {}).settle();
      assert.equal(ran.length, 1);
      const rows = await queue.rows();
      assert.equal(rows.length, count);
      assert.ok(rows.every(({ overtaken }) => Boolean(overtaken)));
    });
  });
});
