import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import {
  createReadyDatabase,
  createTestDatabase,
  TESTED_DATABASE_KINDS,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open-database.ts";
import { copyPostgres } from "./copy-postgres.ts";
import {
  loadPostgres,
  refuseFullPostgres,
  tryLoadingPostgres,
} from "./load-postgres.ts";

const urlOf = ({ location }: TestDatabase): string =>
  location.kind === "postgres" ? location.url : "";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** Keys, checks, indexes, triggers and the numbers that come next. */
const FORM = `
  select 'constraint' as kind, conrelid::regclass::text as of, conname::text as name,
    pg_get_constraintdef(oid) as form from pg_constraint
  where connamespace = 'public'::regnamespace and conrelid <> 0
  union all select 'index', tablename, indexname, indexdef from pg_indexes
  where schemaname = 'public'
  union all select 'trigger', tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid)
  from pg_trigger where not tgisinternal
  union all select 'sequence', schemaname, sequencename, coalesce(last_value, 0)::text
  from pg_sequences
  order by 1, 2, 3`;

const FILL = `
  insert into people (guid, handle, public_key_pem, state, created_at, updated_at)
  values ('p', 'a@b.example', E'a tab\\t, \\\\N and \\n', 'active', '', ''),
    ('q', 'c@d.example', '', 'active', '', '');
  delete from people where guid = 'q';
  create table "others" (id bigint); insert into others values (1)`;

const END_RESTORES = `
  select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where application_name = 'kith restore' and datname = current_database()`;

test("a PostgreSQL that is away cannot be reached, whatever the backup is", async () => {
  await assert.rejects(
    refuseFullPostgres("postgres://kith@127.0.0.1:1/kith"),
    /cannot be reached: .*ECONNREFUSED/,
  );
});

if (TESTED_DATABASE_KINDS.includes("postgres"))
  test("a loaded database has the form, the rows and the next numbers of the copied one", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "kith-copy-"));
    const source = await createReadyDatabase("postgres");
    const target = await createTestDatabase("postgres");
    try {
      const db = await openDatabase(source.location);
      await migrate(db, systemClock);
      await db.close();
      await query(urlOf(source), FILL);
      const copy = await copyPostgres(urlOf(source), folder);
      const load = { url: urlOf(target), folder, copy, clock: systemClock };

      const tried = await tryLoadingPostgres(load);
      assert.deepEqual(tried.leftOut, ["others"]);
      assert.deepEqual(await query(urlOf(target), FORM), []);
      await assert.rejects(
        loadPostgres(load, async () => {
          throw new Error("The disk is full");
        }),
        /cannot take the backup: The disk is full/,
      );
      assert.deepEqual(await query(urlOf(target), FORM), []);
      await assert.rejects(
        loadPostgres(load, async () => {
          await query(urlOf(target), END_RESTORES);
        }),
        /cannot be reached: /,
      );

      await loadPostgres(load, async () => {});
      await query(urlOf(source), "drop table others");
      for (const text of [FORM, "select * from people"]) {
        const rows = await query(urlOf(target), text);
        assert.ok(rows.length > 0);
        assert.deepEqual(rows, await query(urlOf(source), text));
      }
      await assert.rejects(
        loadPostgres(load, async () => {}),
        /has tables already/,
      );
    } finally {
      await source.remove();
      await target.remove();
      rmSync(folder, { recursive: true });
    }
  });
