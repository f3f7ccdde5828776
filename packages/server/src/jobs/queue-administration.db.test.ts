import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE, type JobResult } from "./job.ts";
import {
  createQueueAdministration,
  type QueueAdministration,
} from "./queue-administration.ts";
import { openQueue, type Queue } from "./queue.fixture.ts";

const HOUR_MS = 3_600_000;
const GIVE_UP: JobResult = { kind: "give_up", reason: "Answered 410" };
const LATER: JobResult = {
  kind: "retry",
  afterMs: HOUR_MS,
  reason: "Answered 503",
};
const ONE = { host: "https://one.example", lane: "a>one" };
const TWO = { host: "https://two.example:8443", lane: "a>two" };

const unnoted = async () => {};

describe("queue administration", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let administration: QueueAdministration;
    let dropped: string[];
    beforeEach(async () => {
      queue = await openQueue(kind);
      dropped = [];
      administration = createQueueAdministration({
        ...queue,
        onDropped: async (_tx, jobs) => {
          dropped.push(...jobs.map(({ payload }) => payload));
        },
      });
    });
    afterEach(() => queue.close());

    const act = (results: Readonly<Record<string, JobResult>>): void =>
      queue.act(async (name) => results[name] ?? DONE);

    const states = async () =>
      (await queue.rows()).map(({ payload, state }) => [
        (JSON.parse(payload) as { name: string }).name,
        state,
      ]);

    test("counts by kind and host, with the oldest, the next attempt and the last error", async () => {
      act({ first: GIVE_UP, second: LATER });
      await queue.put("first", ONE);
      await queue.put("second", ONE);
      await queue.put("third", ONE);
      await queue.put("alone");
      act({ first: GIVE_UP, second: LATER, alone: LATER });
      await queue.worker.settle();
      queue.clock.advance(60_000);
      const [one, alone, ...rest] = await administration.list({});
      assert.deepEqual(rest, []);
      assert.deepEqual(one, {
        kind: "note",
        host: ONE.host,
        waiting: 2,
        running: 0,
        dead: 1,
        oldestAt: "2026-01-01T00:00:00.000Z",
        oldestSeconds: 60,
        nextAt: "2026-01-01T01:00:00.000Z",
        lastError: "Answered 503",
      });
      assert.equal(alone?.host, null);
      for (const host of ["one.example", ONE.host, "ONE.example/"])
        assert.deepEqual(await administration.list({ host }), [one], host);
      assert.deepEqual(await administration.list({ host: "example" }), []);
      assert.deepEqual(await administration.list({ kind: "other" }), []);
      assert.equal((await administration.list({ kind: "note" })).length, 2);
    });

    test("retry makes due at once what waits for the host, in its order, and nothing else", async () => {
      act({ one: LATER, two: LATER });
      await queue.put("one", ONE);
      await queue.put("one, then", ONE);
      await queue.put("two", TWO);
      await queue.worker.settle();
      act({});
      queue.ran.splice(0);
      const done = await administration.retry({ host: "one.example" }, unnoted);
      assert.deepEqual(done, { waiting: 2, dead: 0, overtaken: 0 });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["one", "one, then"]);
      assert.deepEqual(await states(), [["two", "ready"]]);
    });

    test("retry tries what was given up before what waits behind it", async () => {
      act({ create: GIVE_UP, retract: LATER });
      await queue.put("create", ONE);
      await queue.put("retract", ONE);
      await queue.worker.settle();
      act({});
      queue.ran.splice(0);
      const done = await administration.retry({}, unnoted);
      assert.deepEqual(done, { waiting: 1, dead: 1, overtaken: 0 });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["create", "retract"]);
      assert.deepEqual(await states(), []);
    });

    test("retry leaves dead what later jobs of its lane have overtaken", async () => {
      act({ create: GIVE_UP, elsewhere: GIVE_UP });
      await queue.put("create", ONE);
      await queue.put("retract", ONE);
      await queue.put("elsewhere", TWO);
      await queue.worker.settle();
      act({});
      queue.ran.splice(0);
      const done = await administration.retry({}, unnoted);
      assert.deepEqual(done, { waiting: 0, dead: 1, overtaken: 1 });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["elsewhere"]);
      assert.deepEqual(await states(), [["create", "dead"]]);
    });

    test("retry leaves dead what a job that runs is about to overtake", async () => {
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      queue.act(async (name) => {
        if (name === "create") return GIVE_UP;
        started.resolve();
        await finish.promise;
        return DONE;
      });
      await queue.put("create", ONE);
      await queue.put("retract", ONE);
      queue.worker.start();
      await started.promise;
      const done = await administration.retry({}, unnoted);
      finish.resolve();
      assert.deepEqual(done, { waiting: 0, dead: 0, overtaken: 1 });
    });

    test("a job that is given up after an earlier one was revived is not overtaken by it", async () => {
      act({ create: GIVE_UP, retract: GIVE_UP });
      await queue.put("create", ONE);
      await queue.put("retract", ONE);
      await queue.worker.settle();
      act({ retract: GIVE_UP });
      await administration.retry({}, unnoted);
      await queue.worker.settle();
      act({});
      assert.equal((await administration.retry({}, unnoted)).dead, 1);
      await queue.worker.settle();
      assert.deepEqual(await states(), []);
    });

    test("drop removes matching jobs with their documents, and names the people concerned", async () => {
      const ids = await queue.db.transaction(async (tx) => [
        await queue.jobs.addDocument(tx, "for one"),
        await queue.jobs.addDocument(tx, "for two"),
      ]);
      act({ dead: GIVE_UP, late: LATER, two: LATER });
      const [documentId = 0, other = 0] = ids;
      await queue.put("dead", { ...ONE, documentId });
      await queue.put("late", { ...ONE, documentId });
      await queue.put("two", { ...TWO, documentId: other });
      await queue.worker.settle();
      const done = await administration.drop({ host: "one.example" }, unnoted);
      assert.deepEqual(done, { dropped: 2, running: 0 });
      assert.deepEqual(await states(), [["two", "ready"]]);
      assert.deepEqual(dropped, ['{"name":"dead"}', '{"name":"late"}']);
      const find = (id: number) => queue.jobs.findDocument(queue.db.read, id);
      assert.equal(await find(documentId), undefined);
      assert.equal(await find(other), "for two");
    });

    test("drop leaves alone what runs, and says so", async () => {
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      queue.act(async () => {
        started.resolve();
        await finish.promise;
        return DONE;
      });
      await queue.put("runs", ONE);
      queue.worker.start();
      await started.promise;
      const done = await administration.drop({ host: "one.example" }, unnoted);
      assert.deepEqual(done, { dropped: 0, running: 1 });
      assert.deepEqual(await states(), [["runs", "leased"]]);
      finish.resolve();
    });
  });
});
