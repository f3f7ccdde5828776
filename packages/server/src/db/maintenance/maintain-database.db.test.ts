import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import { maintainDatabase, measureSize } from "./maintain-database.ts";

const ROWS = 7_000;

forEachDatabase((kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  before(async () => {
    opened = await openTestDatabase(kind);
  });
  after(() => opened.close());

  test("free pages are returned while others write, but for those that new rows fill soon", async () => {
    const { db } = opened;
    await db.transaction((tx) =>
      sql`with recursive numbers(n) as (
          select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)})
        insert into job_documents (body, created_at)
        select replace(cast(n as text) || '________', '_',
          ${"0123456789".repeat(50)}), '' from numbers`.execute(tx),
    );
    await db.transaction((tx) => tx.deleteFrom("job_documents").execute());
    const full = await measureSize(db);
    assert.ok(full.bytes > 0);
    const maintaining = maintainDatabase(db);
    for (let n = 0; n < 3; n++)
      await db.transaction((tx) =>
        tx
          .insertInto("job_documents")
          .values({ body: `written meanwhile ${n}`, created_at: "" })
          .execute(),
      );
    await maintaining;
    const rows = await db.read
      .selectFrom("job_documents")
      .select("id")
      .execute();
    assert.equal(rows.length, 3);
    const small = await measureSize(db);
    if (kind === "sqlite") {
      assert.ok(full.freeBytes > 24_000_000, String(full.freeBytes));
      assert.ok(small.bytes < full.bytes - 8_000_000, String(small.bytes));
      assert.ok(small.freeBytes <= 4_001 * 4_096, String(small.freeBytes));
      const { rows: found } = await sql<{
        integrity_check: string;
      }>`pragma integrity_check`.execute(db.read);
      assert.deepEqual(
        found.map((row) => row.integrity_check),
        ["ok"],
      );
    }
  });
});
