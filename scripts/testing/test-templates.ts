import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";

/** Empty databases with all tables, to be copied: hundreds of tests need one. */
export type Templates = { readonly remove: () => Promise<void> };

/**
 * Creates a database of each kind and puts it into the environment for
 * `test/support/databases.ts` of the server.
 * @param postgresUrl if there is a PostgreSQL
 */
export async function createTemplates(
  postgresUrl: string | undefined,
): Promise<Templates> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-templates-"));
  const file = path.join(folder, "kith.sqlite");
  const sqlite = await openDatabase({ kind: "sqlite", file });
  await migrate(sqlite, systemClock);
  await sqlite.close();
  process.env["KITH_TEST_TEMPLATE_SQLITE"] = file;
  const name = `kith_template_${randomBytes(8).toString("hex")}`;
  if (postgresUrl !== undefined) await createInPostgres(postgresUrl, name);
  return {
    remove: async () => {
      rmSync(folder, { recursive: true, force: true });
      if (postgresUrl !== undefined)
        await runOn(
          postgresUrl,
          `drop database if exists ${name} with (force)`,
        );
    },
  };
}

async function createInPostgres(server: string, name: string): Promise<void> {
  await runOn(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const postgres = await openDatabase({
    kind: "postgres",
    url: url.toString(),
  });
  await migrate(postgres, systemClock);
  await postgres.close();
  process.env["KITH_TEST_TEMPLATE_POSTGRES"] = name;
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
