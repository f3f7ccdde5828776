import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { DONE, type JobResult } from "./job.ts";
import { openQueue, type Queue } from "./queue.fixture.ts";

const PAUSE_MS = 60_000;

describe("jobs that follow another", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    /** These fail, each in this way, until the test says otherwise. */
    const fail = (failing: ReadonlyMap<string, Partial<JobResult>>): void =>
      queue.act(async (name) => {
        const how = failing.get(name);
        const retry = { afterMs: PAUSE_MS, reason: "no" };
        return how ? { kind: "retry", ...retry, ...how } : DONE;
      });

    test("comes after what waits in that lane or band, and only what came earlier", async () => {
      fail(new Map([["post", {}]]));
      await queue.put("early", { follows: "post" });
      await queue.put("post", { lane: "post", band: "of ann" });
      await queue.put("comment", { lane: "comment", follows: "post" });
      await queue.put("by ann", { lane: "other", follows: "of ann" });
      await queue.put("reply", { lane: "reply", follows: "comment" });
      await queue.put("by others", { follows: "of bob" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran.toSorted(), ["by others", "early", "post"]);
      fail(new Map());
      queue.clock.advance(PAUSE_MS);
      await queue.worker.settle();
      assert.deepEqual(queue.ran.slice(3, 4), ["post"]);
      const after = queue.ran.slice(4);
      assert.deepEqual(after.toSorted(), ["by ann", "comment", "reply"]);
      assert.ok(after.indexOf("comment") < after.indexOf("reply"));
    });

    test("goes on where that steps aside, but its own lane waits", async () => {
      fail(new Map([["post", { stepAside: true }]]));
      await queue.put("post", { lane: "post", band: "of ann" });
      await queue.put("its end", { lane: "post" });
      await queue.put("comment", { lane: "comment", follows: "post" });
      await queue.put("by ann", { follows: "of ann" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran.toSorted(), ["by ann", "comment", "post"]);
      fail(new Map());
      queue.clock.advance(PAUSE_MS);
      await queue.worker.settle();
      assert.deepEqual(queue.ran.slice(3), ["post", "its end"]);
    });

    test("waits again for what is brought forward with it", async () => {
      const host = "https://peer.example";
      fail(
        new Map([
          ["post", { stepAside: true }],
          ["comment", {}],
        ]),
      );
      await queue.put("post", { lane: "post", host });
      await queue.put("comment", { lane: "comment", follows: "post", host });
      await queue.worker.settle();
      fail(new Map([["post", {}]]));
      queue.ran.length = 0;
      await queue.db.transaction((tx) =>
        queue.jobs.releaseHost(tx, host, "all"),
      );
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post"]);
    });

    test("is not kept waiting by what is dead", async () => {
      queue.act(async (name) =>
        name === "post" ? { kind: "give_up", reason: "gone" } : DONE,
      );
      await queue.put("post", { lane: "post", band: "of ann" });
      await queue.put("comment", { follows: "post" });
      await queue.put("by ann", { follows: "of ann" });
      await queue.worker.settle();
      assert.equal(queue.ran.length, 3);
    });
  });
});
