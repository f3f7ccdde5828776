import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DAY_MS } from "../../test/support/server/test-clock.ts";
import { createForgetDead, DEAD_FOR_DAYS, FORGET_DEAD } from "./forget-dead.ts";
import { NOTE, openQueue, type Queue } from "./queue.fixture.ts";
import { summarizeDead } from "./stores/queue-queries.ts";

describe("jobs that were given up", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    let forgotten: string[];
    beforeEach(async () => {
      queue = await openQueue(kind);
      forgotten = [];
      const onForgotten = async (
        _tx: unknown,
        jobs: readonly { readonly payload: string }[],
      ) => void forgotten.push(...jobs.map(({ payload }) => payload));
      queue.worker.handle(
        FORGET_DEAD,
        createForgetDead({ ...queue, onForgotten }),
      );
      await queue.db.transaction((tx) =>
        queue.jobs.ensureRecurring(tx, [FORGET_DEAD]),
      );
    });
    afterEach(() => queue.close());

    const countDocuments = async () =>
      (await queue.db.read.selectFrom("job_documents").selectAll().execute())
        .length;
    const names = async () =>
      (await queue.rows())
        .filter(({ kind: name }) => name === "note")
        .map(({ payload }) => (JSON.parse(payload) as { name: string }).name);
    const passDays = async (days: number) => {
      queue.clock.advance(days * DAY_MS);
      await queue.worker.settle();
    };

    test("go with their documents thirty days after that, and what waits stays", async () => {
      queue.act(async () => ({ kind: "give_up", reason: "gone" }));
      const put = (name: string, isLater: boolean) =>
        queue.db.transaction(async (tx) => {
          const documentId = await queue.jobs.addDocument(tx, name);
          const runAt = new Date("2027-01-01");
          const options = { documentId, ...(isLater && { runAt }) };
          await queue.jobs.enqueue(tx, NOTE, { name }, options);
        });
      await put("waits", true);
      for (let count = 0; count < 201; count += 1) await put("old", false);
      await queue.worker.settle();
      await passDays(DEAD_FOR_DAYS - 1);
      await put("young", false);
      await passDays(0);
      assert.equal((await names()).length, 203);
      assert.deepEqual(await summarizeDead(queue.db.read), {
        dead: 202,
        oldestAt: "2026-01-01T00:00:00.000Z",
        documents: 203,
      });
      await passDays(2);
      assert.deepEqual(await names(), ["waits", "young"]);
      assert.equal(await countDocuments(), 2);
      assert.equal(forgotten.length, 201);
    });

    test("go as well where they were given up before there was a date, and so do documents that no job needs", async () => {
      await queue.put("dateless");
      await queue.db.transaction(async (tx) => {
        await tx
          .updateTable("jobs")
          .set({ state: "dead" })
          .where("kind", "=", "note")
          .execute();
        await queue.jobs.addDocument(tx, "nobody's");
      });
      await passDays(0);
      assert.equal(await countDocuments(), 1);
      await passDays(2);
      assert.equal(await countDocuments(), 0);
      assert.deepEqual(await names(), ["dateless"]);
      await passDays(DEAD_FOR_DAYS + 1);
      assert.deepEqual(await names(), []);
    });
  });
});
