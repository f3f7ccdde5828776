import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

export type DataKind = "sqlite" | "postgres";

/** The database of a server; with SQLite it is in the server's folder. */
export type PreparedDatabase = {
  readonly kind: DataKind;
  /** Empty for SQLite. */
  readonly url: string;
  remove(): Promise<void>;
};

/**
 * A separate database.
 * @param copyOf an unused one whose content it starts with
 */
export async function createDatabase(
  kind: DataKind,
  copyOf?: PreparedDatabase,
): Promise<PreparedDatabase> {
  if (kind === "sqlite") return { kind, url: "", remove: async () => {} };
  const server = serverUrl();
  const name = `kith_case_${randomBytes(8).toString("hex")}`;
  const template = copyOf
    ? ` template ${new URL(copyOf.url).pathname.slice(1)}`
    : "";
  await run(server, `create database ${name}${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    kind,
    url: url.toString(),
    remove: () => run(server, `drop database if exists ${name} with (force)`),
  };
}

/** A folder for the data of a server: `npm test` names one in memory, where no commit waits for the disk. */
export function makeDataFolder(prefix: string): string {
  const parent = process.env["KITH_TEST_DATABASE_FOLDER"] ?? tmpdir();
  return mkdtempSync(path.join(parent, prefix));
}

function serverUrl(): string {
  const url = process.env["KITH_TEST_DATABASE_URL"];
  if (url) return url;
  throw new Error(
    "PostgreSQL is needed: name a server in KITH_TEST_DATABASE_URL (postgres://…) whose user may create databases.",
  );
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
