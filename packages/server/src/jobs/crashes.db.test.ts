import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DAY_MS } from "../../test/support/server/test-clock.ts";
import { later } from "../lib/time/clock.ts";
import {
  DONE,
  jobKind,
  recurringKind,
  type JobResult,
  type SettledJob,
} from "./job.ts";
import {
  createTestWorker,
  livingInstance,
  NOTE,
  openQueue,
  type NamedNote,
  type Queue,
} from "./queue.fixture.ts";
import { createQueueAdministration } from "./queue-administration.ts";
import type { Worker } from "./worker/worker.ts";

const DEADLINE_MS = 20_000;
/** More starts than any of these tests needs. */
const MAX_PROCESSES = 30;
/** Enough attempts for the innocent jobs to get away from the one that crashes. */
const MANY = jobKind<NamedNote>("many", { maxAttempts: 6 });

const RECURRING = recurringKind("recurring", {
  maxAttempts: 3,
});

type Rows = Awaited<ReturnType<Queue["rows"]>>;

/** The result of a job; `crash` ends its process, so that none of its jobs comes to an end. */
type Outcome = JobResult | "crash";

describe("a job during which the process dies", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let ran: string[];
    let settled: SettledJob[];
    let processes: { readonly worker: Worker; hasDied: boolean }[];
    let stops: Promise<void>[];
    let atTheEnd: PromiseWithResolvers<void>;
    let act: (name: string) => Outcome;

    beforeEach(async () => {
      queue = await openQueue(kind);
      [ran, settled, processes, stops] = [[], [], [], []];
      atTheEnd = Promise.withResolvers();
      act = (name) => (name.startsWith("poison") ? "crash" : DONE);
    });
    afterEach(async () => {
      for (const { worker } of processes) stops.push(worker.stop());
      atTheEnd.resolve();
      await Promise.all(stops);
      await queue.close();
    });

    /** Starts a process that knows that all before it have ended. */
    function startProcess(): void {
      const number = processes.length + 1;
      assert.ok(number <= MAX_PROCESSES, "it dies again and again");
      const ended = processes.map((_, index) => index + 1);
      const deps = {
        ...queue,
        onSettled: async (_tx: unknown, jobs: readonly SettledJob[]) =>
          void settled.push(...jobs),
      };
      const worker = createTestWorker(deps, livingInstance(number, ended));
      const process = { worker, hasDied: false };
      const handler = async ({
        name = "recurring",
      }: Partial<NamedNote>): Promise<JobResult> => {
        ran.push(name);
        const outcome = act(name);
        if (outcome === "crash") {
          process.hasDied = true;
          // It takes no more leases, and those that it holds stay.
          stops.push(worker.stop());
        }
        // The jobs that were leased together have all started then.
        await Promise.resolve();
        if (process.hasDied) await atTheEnd.promise;
        return outcome === "crash" ? DONE : outcome;
      };
      worker.handle(NOTE, handler);
      worker.handle(MANY, handler);
      worker.handle(RECURRING, handler);
      processes.push(process);
      worker.start();
    }

    /** Starts a process whenever the last one has died, and puts the clock forward while nothing is due. */
    async function superviseUntil(
      isReached: (rows: Rows) => boolean,
    ): Promise<Rows> {
      const deadline = performance.now() + DEADLINE_MS;
      for (;;) {
        const rows = await queue.rows();
        if (isReached(rows)) return rows;
        assert.ok(performance.now() < deadline, "it takes too long");
        if (processes.at(-1)?.hasDied !== false) startProcess();
        else if (rows.every(({ state }) => state !== "leased")) passTime(rows);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }

    function passTime(rows: Rows): void {
      const due = rows
        .filter(({ state }) => state === "ready")
        .map((row) => Date.parse(row.run_at) - queue.clock.now().getTime());
      if (due.length > 0) queue.clock.advance(Math.max(0, Math.min(...due)));
      processes.at(-1)?.worker.wake();
    }

    const countOf = (name: string): number =>
      ran.filter((one) => one === name).length;

    const leasesOf = async (): Promise<number[]> =>
      (await queue.rows()).map((row) => row.unsettled_leases);

    test("runs as often as its attempts allow, is dead then, and its lane goes on", async () => {
      await queue.put("poison", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      const [row, ...others] = await superviseUntil(
        (rows) => rows.length === 1 && rows[0]?.state === "dead",
      );
      assert.deepEqual(others, []);
      assert.deepEqual(ran, ["poison", "poison", "poison", "behind"]);
      assert.equal(row?.last_error, "Started 3 times without finishing");
      assert.equal(row.leased_by, null);
      assert.deepEqual(
        settled.map(({ payload, isDone }) => [payload, isDone]),
        [
          [{ name: "poison" }, false],
          [{ name: "behind" }, true],
        ],
      );
      assert.equal(processes.at(-1)?.hasDied, false, "the last one lives");
    });

    test("leaves innocent jobs alive that were running beside it", async () => {
      const innocents = ["one", "two", "three"];
      const names = ["poison", ...innocents];
      await queue.db.transaction(async (tx) => {
        for (const name of names) await queue.jobs.enqueue(tx, MANY, { name });
      });
      const rows = await superviseUntil(
        (all) => all.length === 1 && all[0]?.state === "dead",
      );
      assert.equal(rows[0]?.payload, JSON.stringify({ name: "poison" }));
      assert.equal(countOf("poison"), MANY.maxAttempts);
      for (const name of innocents)
        assert.ok(countOf(name) >= 3, "leased beside it, and done in the end");
    });

    test("is taken over at once the first time, and after a back-off from the second time on", async () => {
      await queue.put("poison", { lane: "a" });
      await queue.put("behind", { lane: "a" });
      const startedAt = queue.clock.now().getTime();
      await superviseUntil(() => countOf("poison") === 2);
      assert.equal(queue.clock.now().getTime(), startedAt);

      startProcess();
      for (const base of [4_000, 8_000]) {
        const now = queue.clock.now().getTime();
        const rows = await superviseUntilReclaimed();
        const [pause = NaN, ofLane] = rows.map(
          (row) => Date.parse(row.run_at) - now,
        );
        assert.ok(pause >= base * 0.8 && pause <= base * 1.2, `${pause} ms`);
        assert.equal(ofLane, pause, "its lane waits with it");
        assert.equal(rows[0]?.turn, rows[0]?.run_at);
        if (base === 8_000) break;
        queue.clock.advance(pause);
        processes.at(-1)?.worker.wake();
        await superviseUntil(() => countOf("poison") === 3);
        startProcess();
      }
    });

    /** Waits for the newest process to take over what the one before had leased. */
    async function superviseUntilReclaimed(): Promise<Rows> {
      const deadline = performance.now() + DEADLINE_MS;
      for (;;) {
        const rows = await queue.rows();
        if (rows.every(({ state }) => state === "ready")) return rows;
        assert.ok(performance.now() < deadline, "nobody takes it over");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }

    for (const [how, result] of [
      ["is put off", { kind: "retry", afterMs: 1_000, reason: "busy" }],
      ["is to run again", { kind: "again", afterMs: 1_000 }],
    ] as const)
      test(`counts anew once it ${how}`, async () => {
        const rounds = 4;
        act = () => {
          if (ran.length >= rounds * 3) return DONE;
          return ran.length % 3 === 0 ? result : "crash";
        };
        await queue.put("unlucky");
        await superviseUntil(() => ran.length === 3);
        await superviseUntil(([row]) => row?.state === "ready");
        assert.deepEqual(await leasesOf(), [0]);
        await superviseUntil((rows) => rows.length === 0);
        assert.equal(ran.length, rounds * 3);
        assert.ok(settled.every(({ isDone }) => isDone));
      });

    test("counts anew once it throws", async () => {
      act = () => {
        if (ran.length === 2) throw new Error("broken");
        return ran.length < 4 ? "crash" : DONE;
      };
      await queue.put("unlucky");
      await superviseUntil(([row]) => row?.last_error === "broken");
      assert.deepEqual(await leasesOf(), [0]);
      await superviseUntil((rows) => rows.length === 0);
      assert.equal(ran.length, 4);
    });

    test("never dies of orderly attempts, whatever happens to the queue of its host", async () => {
      const host = "https://slow.example";
      act = () =>
        ran.length < 30
          ? { kind: "retry", afterMs: 3_600_000, reason: "no answer" }
          : DONE;
      await queue.put("delivery", { host });
      for (let round = 1; round < 30; round += 1) {
        await superviseUntil(() => ran.length === round);
        // Rows that were read before it ran say nothing.
        await superviseUntil(
          ([row]) => row?.state === "ready" && row.unsettled_leases === 0,
        );
        const until = later(queue.clock.now(), 7_200_000);
        const giveUp = { since: new Date(0), reason: "too old" };
        await queue.db.transaction((tx) =>
          round % 2 === 0
            ? queue.jobs.holdHost(tx, host, until, giveUp)
            : queue.jobs.releaseHost(tx, host, "all"),
        );
      }
      await superviseUntil((rows) => rows.length === 0);
      assert.equal(ran.length, 30);
    });

    test("is still counted after its host's queue was held and released: it was not settled", async () => {
      const host = "https://one.example";
      await queue.put("poison", { host });
      await superviseUntil(() => countOf("poison") === 2);
      startProcess();
      await superviseUntilReclaimed();
      await queue.db.transaction(async (tx) => {
        const until = later(queue.clock.now(), 7_200_000);
        const giveUp = { since: new Date(0), reason: "too old" };
        await queue.jobs.holdHost(tx, host, until, giveUp);
        await queue.jobs.releaseHost(tx, host, "next");
      });
      await superviseUntil(([row]) => row?.state === "dead");
      assert.equal(countOf("poison"), 3);
    });

    /** Reads the counts before the retry is committed: a living process leases the job at once then. */
    async function retryAll() {
      let leases: number[] = [];
      const retried = await createQueueAdministration(queue).retry(
        {},
        async (tx) => {
          const rows = await tx.selectFrom("jobs").selectAll().execute();
          leases = rows.map((row) => row.unsettled_leases);
        },
      );
      return { ...retried, leases };
    }

    test("counts anew when an administrator revives it, and not while it waits", async () => {
      await queue.put("poison");
      await superviseUntil(() => countOf("poison") === 2);
      startProcess();
      await superviseUntilReclaimed();
      const waited = await retryAll();
      assert.deepEqual([waited.waiting, waited.leases], [1, [2]]);
      await superviseUntil(([row]) => row?.state === "dead");
      assert.equal(countOf("poison"), 3);

      const revived = await retryAll();
      assert.deepEqual([revived.dead, revived.leases], [1, [0]]);
      await superviseUntil(([row]) => row?.state === "dead");
      assert.equal(countOf("poison"), 6);
    });

    test("counts anew when an administrator revives it after it waited too long for its host", async () => {
      const host = "https://gone.example";
      await queue.put("poison", { host });
      await superviseUntil(() => countOf("poison") === 2);
      startProcess();
      await superviseUntilReclaimed();
      const now = queue.clock.now();
      const giveUp = { since: later(now, 1), reason: "too old" };
      await queue.db.transaction((tx) =>
        queue.jobs.holdHost(tx, host, now, giveUp),
      );
      const revived = await retryAll();
      assert.deepEqual([revived.dead, revived.leases], [1, [0]]);
    });

    test("is put off for a day where it recurs, and never dead", async () => {
      const ensure = () =>
        queue.db.transaction((tx) =>
          queue.jobs.ensureRecurring(tx, [RECURRING]),
        );
      act = () => "crash";
      await ensure();
      const isPutOff = ([row]: Rows): boolean =>
        row?.state === "ready" &&
        Date.parse(row.run_at) >= queue.clock.now().getTime() + DAY_MS;
      const [row] = await superviseUntil(isPutOff);
      assert.equal(ran.length, 3);
      assert.equal(row?.last_error, "Started 3 times without finishing");
      await Promise.all([ensure(), ensure()]);
      assert.equal((await queue.rows()).length, 1);
      act = () => ({ kind: "again", afterMs: 1_000 });
      await superviseUntil(() => ran.length >= 4);
    });
  });
});

describe("a job whose process lives", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    test("is not counted where an orderly stop interrupts it, and stays leased while it may still write", async () => {
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      queue.act(async () => {
        started.resolve();
        await finish.promise;
        return DONE;
      });
      await queue.put("long");
      queue.worker.start();
      await started.promise;
      assert.deepEqual(
        (await queue.rows()).map((row) => row.unsettled_leases),
        [1],
      );
      const { setTimeout: wait } = globalThis;
      const hurried = mock.method(
        globalThis,
        "setTimeout",
        (run: () => void, ms?: number) => wait(run, Math.min(ms ?? 0, 100)),
      );
      await queue.worker.stop();
      hurried.mock.restore();
      const [row] = await queue.rows();
      assert.equal(row?.unsettled_leases, 0);
      assert.equal(row.state, "leased");
      assert.equal(row.leased_by, 1);
      finish.resolve();
      while ((await queue.rows()).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
    });
  });
});
