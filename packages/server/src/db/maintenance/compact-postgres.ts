import type { Client } from "pg";
import { messageOf, OperatorError } from "../../lib/errors.ts";
import { openOwnConnection } from "../postgres/own-connection.ts";
import { withoutPassword } from "../postgres/without-password.ts";

/** A table of PostgreSQL with its indexes. */
export type TableState = {
  readonly name: string;
  readonly bytes: number;
  /** Rows that were deleted or replaced, as far as PostgreSQL has counted. */
  readonly deadRows: number;
};

/** The tables, by name. @throws {OperatorError} */
export function examineTables(url: string): Promise<TableState[]> {
  return withClient(url, listTables);
}

/**
 * Has PostgreSQL reclaim the dead rows of each table and gather statistics anew, table by table,
 * also while servers write: `vacuum (analyze)` blocks no reader and no writer. Their space is
 * filled by new rows; at the end of a table's file it goes back to the file system.
 * @param onProgress is called with the name of the table that is next
 * @returns the state afterwards @throws {OperatorError}
 */
export function compactPostgres(
  url: string,
  onProgress: (table: string, done: number, ofAll: number) => void,
): Promise<TableState[]> {
  return withClient(url, async (client) => {
    const tables = await listTables(client);
    for (const [index, { name }] of tables.entries()) {
      onProgress(name, index, tables.length);
      await client.query(`vacuum (analyze) ${client.escapeIdentifier(name)}`);
    }
    return listTables(client);
  });
}

async function listTables(client: Client): Promise<TableState[]> {
  const { rows } = await client.query<{
    name: string;
    bytes: string;
    dead: string;
  }>(`select relname as name, n_dead_tup as dead,
      pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables where schemaname = current_schema()
    order by relname`);
  return rows.map(({ name, bytes, dead }) => ({
    ...{ name, bytes: Number(bytes), deadRows: Number(dead) },
  }));
}

async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const name = "kith compact";
    const client = await openOwnConnection(
      ...([url, name, async () => {}, () => {}] as const),
    );
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL at ${withoutPassword(url)} cannot be compacted: ${messageOf(error)}.`,
    );
  }
}
