import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import {
  createReadyDatabase,
  forEachDatabase,
} from "../../../test/support/server/databases.ts";
import {
  runCompactCommand,
  type Compaction,
} from "../../cli/commands/storage/compact-command.ts";
import { systemClock } from "../../lib/time/clock.ts";
import type { Db } from "../db.ts";
import { lockInstance } from "../locks/instance-lock.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open-database.ts";
import { compactPostgres, examineTables } from "./compact-postgres.ts";
import { compactSqlite, examineFile, rewriteSqlite } from "./compact-sqlite.ts";

const ROWS = 7_000;

/** Leaves some 28 MB of free space. */
async function fillAndEmpty(db: Db): Promise<void> {
  await db.transaction((tx) =>
    sql`with recursive numbers(n) as (
        select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)})
      insert into job_documents (body, created_at)
      select replace(cast(n as text) || '________', '_',
        ${"0123456789".repeat(50)}), '' from numbers`.execute(tx),
  );
  await db.transaction((tx) => tx.deleteFrom("job_documents").execute());
}

async function run(
  compaction: Compaction,
  options: { json?: boolean; dryRun?: boolean; full?: boolean } = {},
  words = ["compact"],
) {
  const [said, shown]: [string[], string[]] = [[], []];
  await runCompactCommand({
    ...{ compaction, words, options: { json: false, yes: false, ...options } },
    write: (line) => said.push(line),
    progress: (text) => shown.push(text),
  });
  return { said: said.join("\n"), shown };
}

forEachDatabase((kind) => {
  let db: Db;
  let database: Awaited<ReturnType<typeof createReadyDatabase>>;
  before(async () => {
    database = await createReadyDatabase(kind);
    db = await openDatabase(database.location);
    await migrate(db, systemClock);
  });
  after(async () => {
    await db.close();
    await database.remove();
  });

  test("free space is given back in steps while others write", async () => {
    await fillAndEmpty(db);
    const { location } = database;
    if (location.kind === "postgres") {
      const { url } = location;
      const compaction: Compaction = {
        kind: "postgres",
        examine: () => examineTables(url),
        compact: (onProgress) => compactPostgres(url, onProgress),
      };
      const bytesOf = async () =>
        (await examineTables(url)).find((it) => it.name === "job_documents")
          ?.bytes ?? 0;
      const full = await bytesOf();
      const tried = await run(compaction, { dryRun: true });
      assert.match(tried.said, /^The tables have .+ dead rows/);
      assert.equal(await bytesOf(), full);
      const { said, shown } = await run(compaction);
      assert.match(said, /Done with \d+ tables\. .+ went back/);
      assert.ok(shown.includes("posts"));
      assert.ok((await bytesOf()) < full / 2);
      await assert.rejects(run(compaction, { full: true }), {
        name: "UsageError",
      });
      return;
    }
    const compaction: Compaction = {
      kind: "sqlite",
      examine: () => examineFile(db),
      compact: (onProgress) => compactSqlite(db, onProgress),
      rewrite: (onBegin) => rewriteSqlite(location.file, onBegin),
    };
    const tried = await run(compaction, { dryRun: true, json: true });
    const { before: full } = JSON.parse(tried.said) as {
      before: Awaited<ReturnType<typeof examineFile>>;
    };
    assert.ok(full.canShrink && full.freeBytes > 24_000_000);
    const compacting = run(compaction);
    // Another connection, as that of a server.
    const other = await openDatabase(location);
    for (let n = 0; n < 3; n++)
      await other.transaction((tx) =>
        tx
          .insertInto("job_documents")
          .values({ body: `written meanwhile ${n}`, created_at: "" })
          .execute(),
      );
    const { said, shown } = await compacting;
    await other.close();
    assert.match(said, /are free\.\nCompacting gives back about .+\nGave back/);
    assert.ok(shown.length > 3, "There are several steps");
    const small = await examineFile(db);
    assert.ok(small.freeBytes < 1_000_000, String(small.freeBytes));
    assert.ok(small.bytes < full.bytes - 20_000_000, String(small.bytes));
    const { rows } = await sql<{
      integrity_check: string;
    }>`pragma integrity_check`.execute(db.read);
    assert.equal(rows[0]?.integrity_check, "ok");
    for (const [options, words] of [
      [{ full: true, dryRun: true }, ["compact"]],
      [{}, ["compact", "more"]],
    ] as const)
      await assert.rejects(run(compaction, options, [...words]), {
        name: "UsageError",
      });
  });
});

describe("a file of SQLite that cannot shrink in steps", () => {
  test("is written anew, only while no server runs, and can shrink from then on", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "kith-compact-"));
    const file = path.join(folder, "kith.sqlite");
    const location = { kind: "sqlite", file } as const;
    try {
      // As an older version made it.
      const old = new DatabaseSync(file);
      old.exec("pragma auto_vacuum = none; create table older (id integer)");
      old.close();
      const withFile = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
        const db = await openDatabase(location);
        return work(db).finally(() => db.close());
      };
      const compaction: Compaction = {
        kind: "sqlite",
        examine: () => withFile(examineFile),
        compact: (onProgress) =>
          withFile((db) => compactSqlite(db, onProgress)),
        rewrite: (onBegin) => rewriteSqlite(file, onBegin),
      };
      await withFile(async (db) => {
        await migrate(db, systemClock);
        await fillAndEmpty(db);
      });
      const full = statSync(file).size;
      const { said } = await run(compaction);
      assert.match(said, /cannot shrink in steps.+--full/);
      assert.equal(statSync(file).size, full);
      const lock = await lockInstance(location);
      await assert.rejects(
        run(compaction, { full: true }),
        /in use by another running Kith/,
      );
      await lock.release();
      assert.equal(statSync(file).size, full);
      const done = await run(compaction, { full: true });
      assert.match(done.said, /It is written anew.+\nGave back 2\d\.?\d* M/);
      assert.ok(statSync(file).size < full - 20_000_000);
      const state = await withFile(examineFile);
      assert.deepEqual([state.canShrink, state.freeBytes], [true, 0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
