import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CompiledQuery, sql, type RootOperationNode } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Reader } from "../../db/db.ts";
import type { CalendarId, PersonId, UserId } from "../ids.ts";
import { listEvents, type EventFilter } from "./event-queries.ts";

const VIEWER = { personId: 1 as PersonId, userId: 1 as UserId };

forEachDatabase((kind) => {
  let db: Db;
  let close: () => Promise<void>;
  before(async () => {
    ({ db, close } = await openTestDatabase(kind));
  });
  after(() => close());

  /** The query plan of a list. PostgreSQL is asked for the plan it would use with many rows. */
  const explain = (filter: EventFilter): Promise<string> =>
    db.transaction(async (tx) => {
      if (kind === "postgres") {
        await sql`set local enable_seqscan = off`.execute(tx);
        await sql`set local enable_sort = off`.execute(tx);
        await sql`set local enable_bitmapscan = off`.execute(tx);
      }
      const nodes: RootOperationNode[] = [];
      const reader: Reader = tx.withPlugin({
        transformQuery: ({ node }) => {
          nodes.push(node);
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await listEvents(reader, VIEWER, filter, { offset: 0, limit: 10 });
      const [node] = nodes;
      assert.ok(node);
      const compiled = tx
        .getExecutor()
        .compileQuery(node, { queryId: "explained" });
      const word = kind === "sqlite" ? "explain query plan" : "explain";
      const { rows } = await tx.executeQuery(
        CompiledQuery.raw(`${word} ${compiled.sql}`, [...compiled.parameters]),
      );
      return JSON.stringify(rows);
    });

  const from = "2026-01-01T00:00:00.000Z";
  const to = "2026-02-01T00:00:00.000Z";
  const calendarId = 1 as CalendarId;

  test("all events are read in their order, by an index", async () => {
    const plan = await explain({ visibility: "all" });
    assert.match(plan, /events_start/);
    assert.doesNotMatch(plan, /TEMP B-TREE|Seq Scan on events|SCAN events"/);
  });

  test("events that ended before a range are not scanned", async () => {
    for (const filter of [{ from }, { from, to }]) {
      const plan = await explain({ visibility: "all", ...filter });
      assert.match(plan, /SEARCH events USING INDEX|Index Scan using events_/);
      assert.doesNotMatch(plan, /Seq Scan on events|SCAN (events|running)"/);
      assert.match(plan, /SEARCH running|Index( Only)? Scan.*running/);
    }
  });

  test("of a calendar only its own events are read", async () => {
    const plan = await explain({ visibility: "all", calendarId });
    assert.match(plan, /events_(calendar|uid)/);
  });
});
