import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { CompiledQuery, sql, type KyselyPlugin } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "../db/db.ts";
import { leaseJobs } from "./stores/lease-store.ts";
import { markSuperseded } from "./stores/superseded-store.ts";
import { NOTE, openQueue, type Queue } from "./queue.fixture.ts";

describe("a long queue is not gone through", () => {
  forEachDatabase((kind) => {
    let queue: Queue;
    beforeEach(async () => {
      queue = await openQueue(kind);
      await queue.db.transaction(async (tx) => {
        await queue.jobs.enqueueAll(
          tx,
          NOTE,
          1,
          Array.from({ length: 2_000 }, (_, index) => ({
            payload: { name: `note ${index}` },
            options: { lane: `lane ${index}` },
          })),
        );
        if (kind === "postgres") await sql`analyze jobs`.execute(tx);
      });
    });
    afterEach(() => queue.close());

    /** The query plan of the first query that `run` makes. */
    const planOf = (
      run: (tx: Tx) => Promise<unknown>,
      { db }: Queue = queue,
    ): Promise<string> =>
      db.transaction(async (tx) => {
        const queries: CompiledQuery[] = [];
        const watch: KyselyPlugin = {
          transformQuery: ({ node, queryId }) => {
            queries.push(tx.getExecutor().compileQuery(node, queryId));
            return node;
          },
          transformResult: async ({ result }) => result,
        };
        await run(tx.withPlugin(watch) as Tx);
        const [query] = queries;
        assert.ok(query);
        const word = kind === "sqlite" ? "explain query plan" : "explain";
        const { rows } = await tx.executeQuery(
          CompiledQuery.raw(`${word} ${query.sql}`, [...query.parameters]),
        );
        return JSON.stringify(rows);
      });

    test("to lease the jobs that were chosen", async () => {
      const due = [1, 2, 3].map((id) => ({ id, host: null }));
      const plan = await planOf((tx) =>
        leaseJobs(queue.db, tx, 1, due, queue.clock.now()),
      );
      assert.match(plan, /INTEGER PRIMARY KEY|jobs_pkey/);
      assert.doesNotMatch(plan, /jobs_due|Seq Scan on jobs|SCAN jobs/);
    });

    // PostgreSQL keeps a plan for the connection, however long the queue grows.
    test("by a plan that was made while it was short", async () => {
      const short = await openQueue(kind);
      try {
        await short.put("note");
        if (kind === "postgres")
          await short.db.transaction((tx) => sql`analyze jobs`.execute(tx));
        const now = short.clock.now();
        const due = [{ id: 1, host: null }];
        const plan = await planOf(
          (tx) => leaseJobs(short.db, tx, 1, due, now),
          short,
        );
        assert.doesNotMatch(plan, /Seq Scan on jobs|SCAN jobs/);
      } finally {
        await short.close();
      }
    });

    test("to find the dead ones of some lanes", async () => {
      const now = queue.clock.now();
      const done = await queue.db.transaction((tx) =>
        leaseJobs(queue.db, tx, 1, [{ id: 1, host: null }], now),
      );
      assert.equal(done.length, 1);
      const plan = await planOf((tx) => markSuperseded(tx, done));
      assert.doesNotMatch(plan, /Seq Scan on jobs|SCAN jobs/);
      // PostgreSQL knows how many are dead, and takes what is shorter.
      if (kind === "sqlite")
        assert.match(plan, /jobs_dead_in_lane \(lane=\? AND id<\?\)/);
    });
  });
});
