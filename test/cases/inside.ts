import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import pg from "pg";
import type { Json } from "./json.ts";
import type { World } from "./world.ts";

/** Rows from the database of the server under test, for data that it never shows. */
export async function lookInside(
  { server }: World,
  select: string,
): Promise<Json[]> {
  return server.databaseUrl === ""
    ? fromSqlite(server.dataDir, select)
    : fromPostgres(server.databaseUrl, select);
}

function fromSqlite(dataDir: string, select: string): Json[] {
  const file = path.join(dataDir, "kith.sqlite");
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(select).all();
  } finally {
    database.close();
  }
}

async function fromPostgres(url: string, select: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Json>(select);
    return rows;
  } finally {
    await client.end();
  }
}
