import { sql } from "kysely";
import type { Db, DialectName, Tx } from "./db.ts";

/**
 * Rewrites a small table, so that no page of it contains former values of its
 * rows: PostgreSQL keeps old versions of rows, and SQLite freed space. No
 * foreign key may reference the table.
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
    // Both release all pages of the table: SQLite fills them with zeros,
    // PostgreSQL starts a new file.
    isSqlite ? sql`delete from ${table}` : sql`truncate ${table}`,
    sql`insert into ${table} select * from ${copy}`,
    sql`drop table ${copy}`,
  ])
    await statement.execute(tx);
  if (isSqlite) await sql`pragma secure_delete = off`.execute(tx);
}

/**
 * Empties SQLite's WAL, unless another process reads from it. The WAL of
 * PostgreSQL is not ours to change.
 */
export async function emptyLog(db: Db): Promise<void> {
  if (db.dialect === "sqlite")
    await sql`pragma wal_checkpoint(truncate)`.execute(db.read);
}
