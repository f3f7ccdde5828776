import path from "node:path";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { writeToFile } from "../../lib/archives/write-to-file.ts";
import { messageOf, OperatorError } from "../../lib/errors.ts";
import { openOwnConnection } from "../postgres/own-connection.ts";
import { withoutPassword } from "../postgres/without-password.ts";
import type { CopyOptions } from "./copy-sqlite.ts";
import { tableFile, type DatabaseCopy } from "./database-copy.ts";
import { describeTable, listSequences, listTables } from "./postgres-tables.ts";
import { quoteName } from "./sample-rows.ts";

/**
 * Copies the tables of a PostgreSQL database into `folder`, a file for each, as of one
 * moment. It needs no programs of PostgreSQL, whose version would have to fit, and the
 * files fit later versions, too. @throws {OperatorError}
 */
export async function copyPostgres(
  url: string,
  folder: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<DatabaseCopy> {
  let bytes = 0;
  const note = (chunk: Buffer): void => {
    bytes += chunk.length;
    onProgress?.(bytes);
  };
  try {
    return await inSnapshot(url, (client) =>
      copyTables(client, folder, note, signal),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `PostgreSQL at ${withoutPassword(url)} cannot be copied: ${messageOf(error)}.`,
    );
  }
}

async function copyTables(
  client: Client,
  folder: string,
  note: (chunk: Buffer) => void,
  signal: AbortSignal | undefined,
): Promise<DatabaseCopy> {
  // Tables of others may have names that are no names of files.
  const found = (await listTables(client)).filter(({ name }) =>
    /^[a-z0-9_]+$/.test(name),
  );
  if (!found.some(({ name }) => name === "schema_migrations"))
    throw new OperatorError(
      "The PostgreSQL database has no tables of Kith's. Correct KITH_DATABASE_URL.",
    );
  const names = found.map(({ name }) => quoteName(name)).join(", ");
  // No table may change its form meanwhile.
  await client.query(`lock table ${names} in access share mode`);
  const tables = [];
  for (const table of found) {
    const columns = table.columns.map(quoteName).join(", ");
    const rows = client.query(
      copyTo(`copy ${quoteName(table.name)} (${columns}) to stdout`),
    );
    rows.on("data", note);
    const file = path.join(folder, tableFile(table.name));
    await writeToFile(file, [rows], { signal });
    tables.push(await describeTable(client, table));
  }
  const { rows } = await client.query<{ number: string }>(
    "select number from schema_migrations order by number",
  );
  return {
    kind: "postgres",
    migrations: rows.map(({ number }) => Number(number)),
    tables,
    sequences: await listSequences(client),
  };
}

async function inSnapshot<T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openOwnConnection(
    url,
    "kith backup",
    (fresh) =>
      fresh.query(
        "begin isolation level repeatable read read only; set local bytea_output = 'hex'",
      ),
    () => {},
  );
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
