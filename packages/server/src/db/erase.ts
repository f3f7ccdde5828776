import { sql } from "kysely";
import type { Db, DialectName, Tx } from "./db.ts";

/**
 * Writes a small table anew, so that no page of it holds what its rows held before
 * they were changed: PostgreSQL keeps old versions of rows, and SQLite what has not
 * been written over. Nothing may refer to the table.
 */
export async function rewriteTable(
  tx: Tx,
  dialect: DialectName,
  name: string,
): Promise<void> {
  const table = sql.table(name);
  const copy = sql.table(`rewriting_${name}`);
  const isSqlite = dialect === "sqlite";
  if (isSqlite) await sql`pragma secure_delete = on`.execute(tx);
  for (const statement of [
    sql`create table ${copy} as select * from ${table}`,
    // Both give up all pages of the table: SQLite fills them with zeros, PostgreSQL begins a new file.
    isSqlite ? sql`delete from ${table}` : sql`truncate ${table}`,
    sql`insert into ${table} select * from ${copy}`,
    sql`drop table ${copy}`,
  ])
    await statement.execute(tx);
  if (isSqlite) await sql`pragma secure_delete = off`.execute(tx);
}

/** Empties SQLite's log, as far as nobody else reads from it. What PostgreSQL's log holds is not ours to change. */
export async function emptyLog(db: Db): Promise<void> {
  if (db.dialect === "sqlite")
    await sql`pragma wal_checkpoint(truncate)`.execute(db.read);
}
