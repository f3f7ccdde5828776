import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db } from "../db.ts";
import {
  isShown,
  NAMED_INSERTS,
  PLACES,
  UNSHOWN_COLUMNS,
  UNSHOWN_TABLES,
} from "./shown-tables.ts";

type Link = { readonly child: string; readonly parent: string };

forEachDatabase((kind) => {
  test("every table and column in the lists exists", async () => {
    const { db, close } = await openTestDatabase(kind);
    try {
      const tables = await db.read.introspection.getTables();
      const columnsOf = new Map(
        tables.map(({ name, columns }) => [
          name,
          new Set(columns.map((column) => column.name)),
        ]),
      );
      for (const table of [...UNSHOWN_TABLES, ...PLACES])
        assert.ok(columnsOf.has(table), table);
      for (const [table, columns] of [...NAMED_INSERTS, ...UNSHOWN_COLUMNS])
        for (const column of columns)
          assert.ok(columnsOf.get(table)?.has(column), `${table}.${column}`);
    } finally {
      await close();
    }
  });

  test("deleting what is not shown deletes nothing that is", async () => {
    const { db, close } = await openTestDatabase(kind);
    try {
      for (const { child, parent } of await listLinks(db))
        assert.ok(
          isShown(parent, "delete") || !isShown(child, "delete"),
          `${child} goes with ${parent}`,
        );
    } finally {
      await close();
    }
  });

  test("triggers write only what no list shows, or where all is dropped", async () => {
    const { db, close } = await openTestDatabase(kind);
    try {
      const rows =
        db.dialect === "sqlite"
          ? await sql<{ name: string }>`select name from sqlite_schema
              where type = 'trigger' order by name`.execute(db.read)
          : await sql<{ name: string }>`select tgname as name from pg_trigger
              where not tgisinternal order by tgname`.execute(db.read);
      // A new one needs a look: what it writes is read off no statement.
      assert.deepEqual(
        rows.rows.map(({ name }) => name),
        db.dialect === "sqlite"
          ? ["comments_unplaced", "post_search_deleted", "posts_unplaced"]
          : ["comments_unplaced", "posts_unplaced"],
      );
    } finally {
      await close();
    }
  });
});

/** Tables whose rows go, or change, with the rows of others. */
async function listLinks({ dialect, read }: Db): Promise<Link[]> {
  const query =
    dialect === "sqlite"
      ? sql<Link>`select tables.name as child, keys."table" as parent
          from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
          where tables.type = 'table' and keys.on_delete <> 'NO ACTION'`
      : sql<Link>`select owner.relname as child, target.relname as parent
          from pg_constraint as keys
          join pg_class as owner on owner.oid = keys.conrelid
          join pg_class as target on target.oid = keys.confrelid
          where keys.contype = 'f' and keys.confdeltype <> 'a'
            and owner.relnamespace = current_schema()::regnamespace`;
  return (await query.execute(read)).rows;
}
