import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DAY_MS } from "../../test/support/server/test-clock.ts";
import { silentLog } from "../observability/log.ts";
import { HeldLeases } from "./worker/held-leases.ts";
import { DONE, type JobResult, type LeasedJob } from "./job.ts";
import { leaseJobs } from "./stores/lease-store.ts";
import { readPayload } from "./payload.ts";
import {
  awaitLook,
  livingInstance,
  openQueue,
  type Queue,
} from "./queue.fixture.ts";

const MINUTE_MS = 60_000;

describe("leases", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    /** Starts a job that runs until the test ends it. */
    async function hang(name: string, result: JobResult = DONE) {
      const finish = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      queue.act(async (other) => {
        if (other !== name) return DONE;
        started.resolve();
        await finish.promise;
        return result;
      });
      await queue.put(name);
      queue.worker.start();
      await started.promise;
      return finish.resolve;
    }

    for (const [how, stepMs] of [
      ["forward", DAY_MS],
      ["back", -DAY_MS],
    ] as const)
      test(`a clock that is put ${how} starts nothing twice, and what was lost is found all the same`, async () => {
        const finish = await hang("slow");
        queue.clock.advance(stepMs);
        await awaitLook(queue);
        await awaitLook(queue);
        assert.deepEqual(queue.ran, ["slow", "lost", "lost"]);
        finish();
        await queue.worker.settle();
        assert.deepEqual(await queue.rows(), []);
      });

    test("a job given back is not started beside its own run, and the result of that run is kept", async () => {
      const finish = await hang("slow");
      await queue.db.transaction((tx) =>
        tx
          .updateTable("jobs")
          .set({ state: "ready", leased_by: null, lease_until: null })
          .execute(),
      );
      await awaitLook(queue);
      assert.deepEqual(queue.ran, ["slow", "lost"]);
      finish();
      await queue.worker.stop();
      assert.deepEqual(await queue.rows(), []);
    });

    const RESULTS: readonly JobResult[] = [
      DONE,
      { kind: "again", afterMs: 1_000 },
      { kind: "retry", afterMs: 1_000, reason: "busy" },
      { kind: "give_up", reason: "gone" },
    ];
    for (const result of RESULTS)
      test(`a run whose job was taken over changes nothing when it ends with ${result.kind}`, async () => {
        const finish = await hang("slow", result);
        await queue.db.transaction((tx) =>
          tx
            .updateTable("jobs")
            .set((eb) => ({
              leased_by: 2,
              lease_number: eb("lease_number", "+", 1),
            }))
            .execute(),
        );
        const before = await queue.rows();
        finish();
        await queue.worker.stop();
        assert.deepEqual(await queue.rows(), before);
      });

    /** The leases of one process, which is played by hand. */
    function holder(id: number, ended: () => number[] = () => []) {
      const lock = { ...livingInstance(id), ended: async () => ended() };
      return new HeldLeases({ ...queue, lock, log: silentLog() });
    }

    async function lease(worker: number): Promise<LeasedJob> {
      await queue.put("long");
      const [row] = await queue.db.transaction((tx) =>
        leaseJobs(
          ...([queue.db, tx, worker] as const),
          [{ id: 1, host: null }],
          queue.clock.now(),
        ),
      );
      assert.ok(row);
      return { ...row, ...readPayload(row.payload) };
    }
    const stateOf = async () => {
      const [row] = await queue.rows();
      return [row?.state, row?.leased_by];
    };

    for (const stepMs of [DAY_MS, -DAY_MS])
      test(`a lease is renewed for hours while its job runs, and runs out ten minutes after its process hangs, though the clock jumps ${stepMs} ms`, async () => {
        const [running, other] = [holder(1), holder(2)];
        running.hold(await lease(1));
        const passTime = async (minutes: number, ...each: HeldLeases[]) => {
          for (let half = 0; half < minutes * 2; half += 1) {
            queue.elapse(MINUTE_MS / 2);
            queue.clock.advance(MINUTE_MS / 2);
            for (const one of each) await one.maintain();
          }
        };
        await passTime(60, running, other);
        queue.clock.advance(stepMs);
        await passTime(60, running, other);
        assert.deepEqual(await stateOf(), ["leased", 1]);
        queue.clock.advance(stepMs);
        await passTime(9, other);
        assert.deepEqual(await stateOf(), ["leased", 1]);
        await passTime(4, other);
        assert.deepEqual(await stateOf(), ["ready", null]);
      });

    test("while the database is away no lease runs out, and a lock that was lost with it is no end", async () => {
      let free: number[] = [];
      const [running, other] = [holder(1), holder(2, () => free)];
      running.hold(await lease(1));
      await other.maintain();
      queue.elapse(60 * MINUTE_MS);
      free = [1];
      await other.maintain();
      free = [];
      queue.elapse(3_000);
      await other.maintain();
      assert.deepEqual(await stateOf(), ["leased", 1]);
      free = [1];
      await other.maintain();
      queue.elapse(3_000);
      await other.maintain();
      queue.elapse(3_000);
      await other.maintain();
      assert.deepEqual(await stateOf(), ["ready", null]);
    });
  });
});
