import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { SAMPLED_ROWS, type DatabaseCopy } from "./database-copy.ts";

/** @returns SHA-256 in hex */
export function digestOfRows(rows: readonly unknown[]): string {
  const hash = createHash("sha256");
  for (const row of rows) hash.update(`${JSON.stringify(row, showBytes)}\n`);
  return hash.digest("hex");
}

function showBytes(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array
    ? Buffer.from(value).toString("base64")
    : value;
}

/**
 * Counts and samples the tables of SQLite. Those in which it keeps an index of words
 * are its own.
 */
export function describeSqlite(database: DatabaseSync): DatabaseCopy {
  const names = database
    .prepare(
      `select name from pragma_table_list
       where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
       order by name`,
    )
    .all()
    .map((row) => String(row["name"]));
  const tables = names.map((name) => {
    const table = quoteName(name);
    const [counted] = database
      .prepare(`select count(*) as rows from ${table}`)
      .all();
    return {
      name,
      rows: Number(counted?.["rows"]),
      sample: sampleTable(database, name),
    };
  });
  const migrations = database
    .prepare("select number from schema_migrations order by number")
    .all()
    .map((row) => Number(row["number"]));
  return { kind: "sqlite", migrations, tables, sequences: [] };
}

function sampleTable(database: DatabaseSync, name: string): string | null {
  const keys = database
    .prepare("select name from pragma_table_info(?) where pk > 0 order by pk")
    .all(name)
    .map((row) => `${quoteName(String(row["name"]))} desc`);
  if (keys.length === 0) return null;
  const query = database.prepare(
    `select * from ${quoteName(name)} order by ${keys.join(", ")} limit ${SAMPLED_ROWS}`,
  );
  query.setReadBigInts(true);
  return digestOfRows(query.all());
}

/** Quotes the name of a table or column, on both databases. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
