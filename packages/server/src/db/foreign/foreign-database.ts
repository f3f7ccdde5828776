import { statSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { OperatorError } from "../../lib/errors.ts";
import { openOwnConnection } from "../postgres/own-connection.ts";

/** A row of another program's database; each value as text. */
export type ForeignRow = Readonly<Record<string, string | null>>;

/** The database of another program: it is read in one snapshot, and never written. */
export type ForeignDatabase = {
  /** @param sql with `?1`, `?2` … for the values, in words that both databases know */
  readonly read: (
    sql: string,
    values?: readonly (number | string)[],
  ) => Promise<ForeignRow[]>;
  readonly listTables: () => Promise<ReadonlySet<string>>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the database of another program.
 * @param place the address of a PostgreSQL, or a file of SQLite
 * @throws {OperatorError}
 */
export async function openForeign(place: string): Promise<ForeignDatabase> {
  return /^postgres(ql)?:\/\//.test(place)
    ? openForeignPostgres(place)
    : openForeignSqlite(place);
}

function openForeignSqlite(file: string): ForeignDatabase {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new OperatorError(`There is no file ${file}.`);
  const database = new DatabaseSync(file, { readOnly: true });
  const read = (sql: string, values: readonly (number | string)[] = []) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all(...values).map(toTexts);
  };
  let tables: ReadonlySet<string>;
  try {
    database.exec("begin");
    const named = read("select name from sqlite_master where type = 'table'");
    tables = new Set(named.map(({ name }) => name ?? ""));
  } catch (error) {
    database.close();
    throw new OperatorError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
  return {
    read: async (sql, values) => read(sql, values),
    listTables: async () => tables,
    close: async () => database.close(),
  };
}

function toTexts(row: Readonly<Record<string, SQLOutputValue>>): ForeignRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array
        ? Buffer.from(value).toString("utf8")
        : value === null
          ? null
          : String(value),
    ]),
  );
}

/** Values as PostgreSQL writes them, not as the library reads them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

async function openForeignPostgres(url: string): Promise<ForeignDatabase> {
  const prepare = async (on: { query: (sql: string) => Promise<unknown> }) => {
    await on.query("set time zone 'UTC'");
    await on.query("set datestyle to 'ISO'");
    await on.query("begin isolation level repeatable read read only");
  };
  const client = await openOwnConnection(
    ...([url, "kith import", prepare, () => {}] as const),
  ).catch((error: unknown) => {
    throw new OperatorError(`The database cannot be read: ${reasonOf(error)}.`);
  });
  const read: ForeignDatabase["read"] = async (sql, values = []) => {
    const text = sql.replaceAll(/\?(\d)/g, "$$$1");
    const { rows } = await client.query<ForeignRow>({
      ...{ text, values: [...values], types: AS_TEXT },
    });
    return rows;
  };
  return {
    read,
    listTables: async () => {
      const named = await read(
        "select tablename as name from pg_tables where schemaname = any (current_schemas(false))",
      );
      return new Set(named.map(({ name }) => name ?? ""));
    },
    close: () => client.end(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
