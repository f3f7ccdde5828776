import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Reader } from "../db/db.ts";
import { lockNames } from "../db/lock-names.ts";
import { DONE, type JobResult } from "./job.ts";
import { openQueue, type Queue } from "./queue.fixture.ts";
import { createQueueAdministration } from "./queue-administration.ts";

const PAUSE_MS = 5_000;

describe("missing dependencies", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
    });
    afterEach(() => queue.close());

    /** A document stands for a thing, its text for the name. */
    const isStored = async (reader: Reader, name: string): Promise<boolean> =>
      (await reader
        .selectFrom("job_documents")
        .select("id")
        .where("body", "=", name)
        .executeTakeFirst()) !== undefined;

    /** @param meanwhile is awaited before the thing is committed */
    const store = (name: string, meanwhile?: () => Promise<void>) =>
      queue.db.transaction(async (tx) => {
        await lockNames(tx, kind, [name, null]);
        await queue.jobs.addDocument(tx, name);
        await queue.jobs.wake(tx, [name, null]);
        await meanwhile?.();
      });

    const waitFor = (name: string): JobResult => ({
      kind: "retry",
      afterMs: PAUSE_MS,
      reason: "not here",
      leaveLane: true,
      missing: { name, isHere: (reader) => isStored(reader, name) },
    });

    /** Jobs need what their name says, besides `more`. */
    const actOn = (more?: string) =>
      queue.act(async (name) => {
        for (const needed of [name, ...(more ? [more] : [])])
          if (!(await isStored(queue.db.read, needed))) return waitFor(needed);
        return DONE;
      });

    test("wakes what waits for it when it is stored, and nothing else", async () => {
      actOn();
      await queue.put("post");
      await queue.put("other");
      await queue.worker.settle();
      assert.deepEqual(
        (await queue.rows()).map(({ awaits }) => awaits),
        ["post", "other"],
      );
      await store("post");
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "other", "post"]);
      const [row, ...rest] = await queue.rows();
      assert.equal(row?.awaits, "other", "the other waits on");
      assert.deepEqual(rest, [], "of what is done nothing is left");
      queue.clock.advance(PAUSE_MS);
      await queue.worker.settle();
      assert.equal(queue.ran.at(-1), "other", "by its own time all the same");
    });

    test("wakes all that wait, by either of its names", async () => {
      const name = { guid: "a guid", uri: "https://a.example/thing" };
      actOn();
      await queue.put(name.guid);
      await queue.put(name.uri);
      await queue.put(name.uri);
      await queue.worker.settle();
      queue.act(async () => DONE);
      await queue.db.transaction(async (tx) => {
        await lockNames(tx, kind, [name.guid, name.uri]);
        await queue.jobs.wake(tx, [name.guid, name.uri]);
      });
      await queue.worker.settle();
      assert.equal(queue.ran.length, 6);
      assert.deepEqual(await queue.rows(), []);
    });

    test("wakes nothing where it is not stored after all", async () => {
      actOn();
      await queue.put("post");
      await queue.worker.settle();
      const failing = store("post", () => Promise.reject(new Error("no")));
      await assert.rejects(failing, /no/);
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post"]);
      assert.equal((await queue.rows())[0]?.awaits, "post");
    });

    test("being woken is not an attempt: the schedule goes on where it was", async () => {
      actOn("author");
      await queue.put("post");
      await queue.worker.settle();
      await store("post");
      await queue.worker.settle();
      const [row] = await queue.rows();
      assert.equal(row?.awaits, "author", "it waits for what else it lacks");
      assert.equal(row.attempts, 1);
      const pauseMs = Date.parse(row.run_at) - queue.clock.now().getTime();
      assert.equal(pauseMs, PAUSE_MS);
      await store("author");
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "post", "post"]);
    });

    test("a thing stored between the look and the pause wakes the job, too", async () => {
      queue.act(async (name) => {
        if (queue.ran.length > 1) return DONE;
        await store(name);
        return waitFor(name);
      });
      await queue.put("post");
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "post"]);
    });

    test("so does what is not committed yet when the pause begins", async () => {
      const { promise: isGivenBack, resolve: giveBack } =
        Promise.withResolvers<void>();
      const { promise: hasGivenUp, resolve: giveUp } =
        Promise.withResolvers<void>();
      let storing: Promise<void> | undefined;
      queue.act(async (name) => {
        if (queue.ran.length > 1) return DONE;
        // It has looked for waiting jobs, and found none, when the job gives up.
        const { promise: hasLooked, resolve } = Promise.withResolvers<void>();
        storing = store(name, () => {
          resolve();
          return isGivenBack;
        });
        await hasLooked;
        giveUp();
        return waitFor(name);
      });
      await queue.put("post");
      const settled = queue.worker.settle();
      await hasGivenUp;
      if (kind === "postgres") await lockIsWaitedFor().finally(giveBack);
      giveBack();
      await settled;
      await storing;
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "post"]);
      assert.deepEqual(await queue.rows(), []);
    });

    const lockIsWaitedFor = async (): Promise<void> => {
      for (let looks = 0; looks < 200; looks += 1) {
        const { rows } = await sql`select 1 from pg_locks
          where locktype = 'advisory' and not granted and database =
            (select oid from pg_database where datname = current_database())`.execute(
          queue.db.read,
        );
        if (rows.length > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assert.fail("The job does not wait for the one who stores");
    };

    test("many that are stored while others begin to wait for them are all found", async () => {
      actOn();
      const names = Array.from({ length: 60 }, (_, place) => `post ${place}`);
      await Promise.all([
        ...names.map((name) => queue.put(name)),
        queue.worker.settle(),
        ...names.map((name) => store(name)),
      ]);
      await queue.worker.settle();
      assert.deepEqual(await queue.rows(), []);
    });

    test("a job that waits for it leaves its lane, whose next job runs", async () => {
      actOn();
      await queue.put("post", { lane: "sender" });
      await store("next");
      await queue.put("next", { lane: "sender" });
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "next"]);
      await store("post");
      await queue.worker.settle();
      assert.deepEqual(queue.ran, ["post", "next", "post"]);
    });

    test("a name that fits into no index is looked for by the schedule", async () => {
      actOn();
      const name = `https://a.example/${"x".repeat(9_000)}`;
      await queue.put(name);
      await queue.worker.settle();
      assert.equal((await queue.rows())[0]?.awaits, null);
      await store(name);
      queue.clock.advance(PAUSE_MS);
      await queue.worker.settle();
      assert.deepEqual(await queue.rows(), []);
    });

    test("a job that gives up, or is withdrawn, waits for nothing", async () => {
      actOn();
      await queue.put("dropped");
      await queue.put("given up");
      await queue.worker.settle();
      queue.act(async () => ({ kind: "give_up", reason: "enough" }));
      await store("given up");
      await queue.worker.settle();
      const [dropped, dead] = await queue.rows();
      assert.equal(dropped?.awaits, "dropped");
      assert.equal(dead?.state, "dead");
      assert.equal(dead.awaits, null);
      await createQueueAdministration(queue).drop({}, async () => {});
      assert.deepEqual(await queue.rows(), []);
      await store("dropped");
      await queue.worker.settle();
      assert.equal(queue.ran.length, 3);
    });
  });
});
