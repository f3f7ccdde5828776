import { createReadStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Kysely, PostgresDialect } from "kysely";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { codeOf, messageOf, OperatorError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Tx } from "../db.ts";
import { applyMigrations, MIGRATIONS } from "../migrate.ts";
import { openOwnConnection } from "../postgres/own-connection.ts";
import { withoutPassword } from "../postgres/without-password.ts";
import { isLoss } from "../refusal.ts";
import type { Database } from "../schema/schema.ts";
import { tableFile, type DatabaseCopy } from "./database-copy.ts";
import { describeTable, listTables } from "./postgres-tables.ts";
import { quoteName } from "./sample-rows.ts";

export type Load = {
  readonly url: string;
  /** The folder with the files of the copy. */
  readonly folder: string;
  readonly copy: DatabaseCopy;
  readonly clock: Clock;
};

/** The tables after loading, and those of the copy that are not Kith's. */
type Loaded = {
  readonly copy: DatabaseCopy;
  readonly leftOut: readonly string[];
};

/**
 * Loads a copy into an empty database, in one transaction.
 * @param prepare runs after loading and before the commit
 * @throws {OperatorError} if the database has tables already, or the copy does not fit
 */
export function loadPostgres(
  load: Load,
  prepare: () => Promise<void>,
): Promise<Loaded> {
  return inOneTransaction(load, async (client) => {
    // The lock of migrations: a server that starts now waits.
    await client.query(
      "select pg_advisory_xact_lock(hashtextextended('kith:migrate', 0))",
    );
    if ((await listTables(client)).length > 0) throw notEmpty(load.url);
    const loaded = await loadTables(client, load);
    await prepare();
    await client.query("commit");
    return loaded;
  });
}

/** @throws {OperatorError} */
export async function refuseFullPostgres(url: string): Promise<void> {
  await inOneTransaction({ url }, async (client) => {
    if ((await listTables(client)).length > 0) throw notEmpty(url);
  });
}

/** Loads a copy into a schema of its own, describes it there, and takes all of it back. */
export function tryLoadingPostgres(load: Load): Promise<Loaded> {
  return inOneTransaction(load, async (client) => {
    await client.query(
      "create schema kith_verification; set local search_path = kith_verification",
    );
    return loadTables(client, load);
  });
}

function notEmpty(url: string): OperatorError {
  return new OperatorError(
    `The database ${withoutPassword(url)} has tables already. A backup is restored into an empty database only.`,
  );
}

/** Without a commit in `work`, everything is taken back. */
async function inOneTransaction<T>(
  { url }: Pick<Load, "url">,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  let client: Client | undefined;
  let isLost = false;
  try {
    client = await openOwnConnection(
      url,
      "kith restore",
      (fresh) => fresh.query("begin; set local bytea_output = 'hex'"),
      () => (isLost = true),
    );
    return await work(client);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    // Once it is connected, the system's own errors are those of files.
    const isOfFile = client !== undefined && codeOf(error)?.startsWith("E");
    const isAway = isLost || (isLoss(error) && !isOfFile);
    throw new OperatorError(
      `PostgreSQL at ${withoutPassword(url)} ${isAway ? "cannot be reached" : "cannot take the backup"}: ${messageOf(error) || codeOf(error)}.`,
    );
  } finally {
    await client?.end().catch(() => {});
  }
}

/** Makes the tables by the migrations that made the copied ones, and fills them. */
async function loadTables(
  client: Client,
  { folder, copy, clock }: Load,
): Promise<Loaded> {
  const done = new Set(copy.migrations);
  await applyMigrations(
    kyselyOn(client),
    "postgres",
    clock,
    MIGRATIONS.filter(({ number }) => done.has(number)),
  );
  const made = await listTables(client);
  const isMade = new Set(made.map(({ name }) => name));
  const foreignKeys = await dropForeignKeys(client);
  await client.query(
    `truncate ${made.map(({ name }) => quoteName(name)).join(", ")}`,
  );
  for (const table of copy.tables)
    if (isMade.has(table.name)) await fillTable(client, folder, table);
  for (const statement of foreignKeys) await client.query(statement);
  await setSequences(client, copy);
  const tables = [];
  for (const table of made) tables.push(await describeTable(client, table));
  return {
    copy: { ...copy, tables },
    leftOut: copy.tables
      .map(({ name }) => name)
      .filter((name) => !isMade.has(name)),
  };
}

async function fillTable(
  client: Client,
  folder: string,
  { name, columns = [] }: DatabaseCopy["tables"][number],
): Promise<void> {
  const table = quoteName(name);
  // Triggers have run when the rows were first written.
  await client.query(`alter table ${table} disable trigger user`);
  const sink = client.query(
    copyFrom(`copy ${table} (${columns.map(quoteName).join(", ")}) from stdin`),
  );
  await pipeline(createReadStream(path.join(folder, tableFile(name))), sink);
  await client.query(`alter table ${table} enable trigger user`);
}

/** Tables refer to each other in circles. @returns the statements that add the keys again, and so check them */
async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{
    table: string;
    name: string;
    definition: string;
  }>(
    `select c.relname::text as table, k.conname::text as name,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and n.nspname = current_schema()
     order by 1, 2`,
  );
  for (const { table, name } of rows)
    await client.query(
      `alter table ${quoteName(table)} drop constraint ${quoteName(name)}`,
    );
  return rows.map(
    ({ table, name, definition }) =>
      `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
  );
}

/** Numbers of deleted rows are not given again. */
async function setSequences(
  client: Client,
  { sequences }: DatabaseCopy,
): Promise<void> {
  for (const { table, column, last, isCalled } of sequences)
    await client.query(
      `select setval(sequence, $3::bigint, $4) from
         (select pg_get_serial_sequence(quote_ident(c.relname), $2) as sequence
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relname = $1) as found
       where sequence is not null`,
      [table, column, last, isCalled],
    );
}

/** Migrations are written for Kysely; this one uses the connection as it is. */
function kyselyOn(client: Client): Tx {
  const connection = {
    query: client.query.bind(client),
    release: () => {},
  };
  const pool = {
    options: {},
    connect: async () => connection,
    end: async () => {},
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
  }) as Tx;
}
