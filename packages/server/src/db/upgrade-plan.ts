import { sql } from "kysely";
import type { Db } from "./db.ts";
import { listPending, refuseNewerSchema } from "./migrate.ts";

/** The migrations of an upgrade, and the amount of data that they find. */
export type UpgradePlan = {
  /** The names of the migrations that would run. */
  readonly migrations: readonly string[];
  /** Estimated rows of each table, the largest first. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** If each migration rewrote every row; most touch one table, or none. */
  readonly atMostSeconds: number;
};

/** Of both databases on a small machine, with indexes. */
const ROWS_PER_SECOND = 50_000;

/**
 * Reads no table as a whole, and changes nothing.
 * @throws {DatabaseUnusable} for a database that a newer Kith has changed
 */
export async function planUpgrade(db: Db): Promise<UpgradePlan> {
  await refuseNewerSchema(db.read);
  const migrations = await listPending(db.read);
  const tables = (await estimateRows(db)).toSorted((a, b) => b.rows - a.rows);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    migrations: migrations.map(({ name }) => name),
    tables,
    atMostSeconds: Math.ceil((rows * migrations.length) / ROWS_PER_SECOND),
  };
}

async function estimateRows(db: Db): Promise<{ name: string; rows: number }[]> {
  if (db.dialect === "postgres") {
    // -1 where the table has not been analyzed yet.
    const { rows } = await sql<{ name: string; rows: number }>`
      select relname::text as name, greatest(reltuples, 0)::bigint as rows
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
      db.read,
    );
    return rows;
  }
  const { rows: names } = await sql<{ name: string }>`
    select name from pragma_table_list where schema = 'main' and type = 'table'
      and wr = 0 and name not like 'sqlite%'`.execute(db.read);
  const found = [];
  for (const { name } of names) {
    const { rows } = await sql<{ rows: number }>`
      select coalesce(max(rowid) - min(rowid) + 1, 0) as rows from ${sql.table(name)}`.execute(
      db.read,
    );
    // Ids that are made from the time have gaps: then the rows are counted.
    const [estimate] = rows;
    const isDense = (estimate?.rows ?? 0) < 100_000_000;
    found.push({
      name,
      rows: isDense ? (estimate?.rows ?? 0) : await countRows(db, name),
    });
  }
  return found;
}

async function countRows(db: Db, name: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(name)}`.execute(db.read);
  return rows[0]?.rows ?? 0;
}
