import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { later } from "../lib/time/clock.ts";
import { DONE } from "./job.ts";
import { NOTE, openQueue, type Queue } from "./queue.fixture.ts";

describe("documents and hosts", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    const putWithDocument = (names: readonly string[]): Promise<number> =>
      queue.db.transaction(async (tx) => {
        const documentId = await queue.jobs.addDocument(tx, "<x/>");
        for (const name of names)
          await queue.jobs.enqueue(tx, NOTE, { name }, { documentId });
        return documentId;
      });

    const find = (id: number) => queue.jobs.findDocument(queue.db.read, id);

    test("a document goes with the last job that needs it", async () => {
      let isBroken = true;
      queue.act(async (name) =>
        name === "slow" && isBroken
          ? { kind: "retry", afterMs: 1_000, reason: "busy" }
          : DONE,
      );
      const id = await putWithDocument(["quick", "slow"]);
      await queue.worker.settle();
      assert.equal(await find(id), "<x/>");
      isBroken = false;
      queue.clock.advance(1_000);
      await queue.worker.settle();
      assert.equal(await find(id), undefined);
    });

    test("a dead job keeps its document, to be tried again by hand", async () => {
      queue.act(async () => ({ kind: "give_up", reason: "gone" }));
      const id = await putWithDocument(["dies"]);
      await queue.worker.settle();
      assert.equal(await find(id), "<x/>");
    });

    test("no document is left where its last jobs end at the same moment", async () => {
      for (let round = 0; round < 20; round += 1)
        await putWithDocument(["one", "two", "three", "four"]);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 80);
      const left = await queue.db.read
        .selectFrom("job_documents")
        .select("id")
        .execute();
      assert.deepEqual(left, []);
    });

    test("jobs that wait for a host are released: the next one, or all; those of other hosts wait on", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      const host = "https://peer.example";
      await queue.put("one", { host });
      await queue.put("two", { host });
      await queue.put("other", { host: "https://other.example" });
      await queue.worker.settle();
      queue.ran.length = 0;

      const release = (which: "next" | "all") =>
        queue.db.transaction((tx) => queue.jobs.releaseHost(tx, host, which));
      await release("next");
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["one"]);
      await release("all");
      await queue.worker.settle();
      assert.deepEqual(queue.ran.slice(1).toSorted(), ["one", "two"]);
    });

    test("a job that fails after having been brought forward waits its own time", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      const host = "https://peer.example";
      await queue.put("one", { host });
      await queue.worker.settle();
      for (let round = 0; round < 5; round += 1) {
        await queue.db.transaction((tx) =>
          queue.jobs.releaseHost(tx, host, "next"),
        );
        await queue.worker.settle();
      }
      assert.equal(queue.ran.length, 2, "once out of turn");
      assert.equal((await queue.rows())[0]?.attempts, 2, "and that counts");
      // A host that is held and released does not change when its own time is.
      const giveUp = { since: new Date(0), reason: "too old" };
      const until = later(queue.clock.now(), 3_600_000);
      await queue.db.transaction(async (tx) => {
        await queue.jobs.holdHost(tx, host, until, giveUp);
        await queue.jobs.releaseHost(tx, host, "free");
      });
      queue.clock.advance(59_000);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 2);
      queue.clock.advance(1_000);
      await queue.worker.settle();
      assert.equal(queue.ran.length, 3);
    });

    test("the one that was tried least often is the next, and none that may not start", async () => {
      queue.act(async () => ({ kind: "retry", afterMs: 60_000, reason: "no" }));
      const host = "https://peer.example";
      await queue.put("tried", { host, lane: "a" });
      await queue.worker.settle();
      const runAt = later(queue.clock.now(), 60_000);
      await queue.put("behind it", { host, lane: "a", runAt });
      await queue.put("fresh", { host, lane: "b", runAt });
      for (let round = 0; round < 4; round += 1) {
        await queue.db.transaction((tx) =>
          queue.jobs.releaseHost(tx, host, "next"),
        );
        await queue.worker.settle();
      }
      assert.deepEqual(queue.ran, ["tried", "fresh", "tried", "fresh"]);
    });
  });
});
