import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE } from "./job.ts";
import { NOTE, openQueue, type Queue } from "./queue.fixture.ts";

describe("taking turns", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    const putMany = (
      sender: number,
      names: readonly string[],
      hostOf: (name: string) => string,
      laneOf = (name: string) => name,
      goesLast = false,
    ) =>
      queue.db.transaction((tx) =>
        queue.jobs.enqueueAll(
          tx,
          NOTE,
          sender,
          names.map((name) => ({
            payload: { name },
            options: { host: hostOf(name), lane: laneOf(name) },
            goesLast,
          })),
        ),
      );
    const named = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name} ${index}`);

    test("one of somebody goes before most of the many that somebody else put in first", async () => {
      await putMany(1, named("bulk", 1_200), (name) => `https://${name}`);
      queue.clock.advance(20);
      await putMany(2, ["one"], () => "https://friend.example");
      await queue.worker.settle();
      assert.equal(queue.ran.length, 1_201);
      const place = queue.ran.indexOf("one");
      assert.ok(place < 100, `it was number ${place}`);
    });

    test("a sender to many can still answer one person", async () => {
      await putMany(1, named("bulk", 1_200), (name) => `https://${name}`);
      queue.clock.advance(20);
      await putMany(1, ["answer"], () => "https://friend.example");
      await queue.worker.settle();
      assert.ok(queue.ran.indexOf("answer") < 100);
    });

    test("many for one host leave others their turn", async () => {
      await putMany(1, named("bulk", 600), () => "https://big.example");
      queue.act(async (name) => {
        if (name.startsWith("bulk") && !queue.ran.includes("one"))
          await Promise.resolve();
        return DONE;
      });
      await putMany(2, ["one"], () => "https://small.example");
      await queue.worker.settle();
      assert.ok(queue.ran.indexOf("one") <= 40, "in one of the first lots");
    });

    test("those that go last run after all that are due, also after what others put in later", async () => {
      const host = () => "https://slow.example";
      await putMany(1, named("slow", 30), host, undefined, true);
      queue.clock.advance(20);
      await putMany(1, named("bulk", 100), (name) => `https://${name}`);
      await putMany(2, named("other", 100), (name) => `https://${name}`);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 230);
      const first = queue.ran.findIndex((name) => name.startsWith("slow"));
      assert.equal(first, 200);
    });

    test("those that go last wait for ten seconds of later ones at most", async () => {
      const host = () => "https://slow.example";
      await putMany(1, named("slow", 5), host, undefined, true);
      queue.clock.advance(11_000);
      await putMany(2, named("other", 30), (name) => `https://${name}`);
      await queue.worker.settle();
      assert.ok(queue.ran.slice(0, 5).every((name) => name.startsWith("slow")));
    });

    test("more of one lane than a look goes through hide nobody behind them", async () => {
      await putMany(
        1,
        named("bulk", 1_500),
        () => "https://big.example",
        () => "one lane",
      );
      queue.clock.advance(20_000);
      const ranOne = new Promise<void>((resolve) => {
        queue.act(async (name) => {
          if (name === "one") resolve();
          else {
            await putMany(2, ["one"], () => "https://small.example");
            await ranOne;
          }
          return DONE;
        });
      });
      queue.worker.start();
      await ranOne;
      assert.deepEqual(queue.ran, ["bulk 0", "one"]);
    });

    test("jobs enqueued together keep their order in each lane, in batches of any size", async () => {
      const names = named("job", 1_201);
      const laneOf = (name: string) => `lane ${Number(name.slice(4)) % 100}`;
      await putMany(1, names, () => "https://peer.example", laneOf);
      const rows = await queue.rows();
      assert.deepEqual(
        rows.map(({ payload }) => JSON.parse(payload) as unknown),
        names.map((name) => ({ name })),
      );
      await queue.worker.settle();
      for (let lane = 0; lane < 100; lane += 1) {
        const ofLane = (name: string) => laneOf(name) === `lane ${lane}`;
        assert.deepEqual(queue.ran.filter(ofLane), names.filter(ofLane));
      }
      assert.deepEqual(await queue.rows(), []);
    });

    test("jobs enqueued together wait behind a postponed head", async () => {
      queue.act(async (name) =>
        name === "head"
          ? { kind: "retry", afterMs: 60_000, reason: "no" }
          : DONE,
      );
      await queue.put("head", { lane: "a" });
      await queue.worker.settle();
      await putMany(
        1,
        ["behind", "free"],
        () => "https://peer.example",
        (name) => (name === "behind" ? "a" : "b"),
      );
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["head", "free"]);
      const behind = (await queue.rows()).at(-1);
      assert.equal(behind?.run_at, "2026-01-01T00:01:00.000Z");
    });

    test("a long backlog of a host is released lot by lot, a short one at once", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      const host = "https://peer.example";
      const names = named("job", 2_100);
      const later = new Date("2026-01-02T00:00:00.000Z");
      await queue.db.transaction((tx) =>
        queue.jobs.enqueueAll(
          tx,
          NOTE,
          1,
          names.map((name) => ({
            payload: { name },
            options: { host, runAt: later },
          })),
        ),
      );
      await queue.db.transaction((tx) =>
        queue.jobs.releaseHost(tx, host, "all"),
      );
      const counts = Map.groupBy(await queue.rows(), ({ run_at }) => run_at);
      assert.deepEqual(
        [...counts].map(([at, rows]) => [at, rows.length]),
        [
          ["2026-01-01T00:00:00.000Z", 1_000],
          ["2026-01-01T00:00:02.000Z", 1_000],
          ["2026-01-01T00:00:04.000Z", 100],
        ],
      );
    });
  });
});
