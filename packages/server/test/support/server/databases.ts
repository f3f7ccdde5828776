import { randomBytes } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "node:test";
import pg from "pg";
import type { Db, OnQuery } from "../../../src/db/db.ts";
import {
  openDatabase,
  type DatabaseLocation,
} from "../../../src/db/open-database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { systemClock } from "../../../src/lib/time/clock.ts";

/** A database of one test's own. */
export type TestDatabase = {
  readonly location: DatabaseLocation;
  /** Where the server may keep its files. */
  readonly dataDir: string;
  remove(): Promise<void>;
};

export type DatabaseKind = DatabaseLocation["kind"];

export const DATABASE_KINDS: readonly DatabaseKind[] = ["sqlite", "postgres"];

/**
 * The kinds on which the files of this process run: `scripts/testing/test-groups.ts`
 * says which files `npm test` runs on SQLite alone.
 */
export const TESTED_DATABASE_KINDS = DATABASE_KINDS.filter(
  (kind) => (process.env["KITH_TEST_DATABASES"] ?? kind) === kind,
);

/** Runs the same tests against each kind of database. */
export function forEachDatabase(tests: (kind: DatabaseKind) => void): void {
  for (const kind of TESTED_DATABASE_KINDS) describe(kind, () => tests(kind));
}

/** Makes an empty database, without any table. */
export function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return createDatabase(kind, undefined);
}

/** Makes a database with all tables where the test run has a template of it; else an empty one, which its first user brings up to date. */
export function createReadyDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return createDatabase(
    kind,
    process.env[
      kind === "sqlite"
        ? "KITH_TEST_TEMPLATE_SQLITE"
        : "KITH_TEST_TEMPLATE_POSTGRES"
    ],
  );
}

/** @param template a file, or the name of a database */
async function createDatabase(
  kind: DatabaseKind,
  template: string | undefined,
): Promise<TestDatabase> {
  // `npm test` names one in memory: a commit on SQLite waits for the disk.
  const parent = process.env["KITH_TEST_DATABASE_FOLDER"] ?? tmpdir();
  const dataDir = mkdtempSync(path.join(parent, "kith-test-"));
  const removeDir = () => rmSync(dataDir, { recursive: true, force: true });
  if (kind === "sqlite") {
    const file = path.join(dataDir, "kith.sqlite");
    if (template !== undefined) {
      copyFileSync(template, file);
      chmodSync(file, 0o600);
    }
    const location: DatabaseLocation = { kind, file };
    return { location, dataDir, remove: async () => removeDir() };
  }
  const server = postgresUrl();
  const name = `kith_test_${randomBytes(8).toString("hex")}`;
  const copy =
    template === undefined ? "" : ` template ${template} strategy file_copy`;
  await runOn(server, `create database ${name}${copy}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    location: { kind, url: url.toString() },
    dataDir,
    remove: async () => {
      await runOn(server, `drop database if exists ${name} with (force)`);
      removeDir();
    },
  };
}

/** A database with all tables. */
export async function openTestDatabase(
  kind: DatabaseKind,
  onQuery?: OnQuery,
): Promise<{ db: Db; close: () => Promise<void> }> {
  const database = await createReadyDatabase(kind);
  const db = await openDatabase(database.location, onQuery);
  await migrate(db, systemClock);
  return {
    db,
    close: async () => {
      await db.close();
      await database.remove();
    },
  };
}

/** The address of a PostgreSQL behind a door of the test's own, on that port of this machine. */
export function throughPort(postgres: string, port: number): string {
  const url = new URL(postgres);
  url.host = `127.0.0.1:${port}`;
  // It names a socket, past the door.
  url.searchParams.delete("host");
  return url.href;
}

function postgresUrl(): string {
  const url = process.env["KITH_TEST_DATABASE_URL"];
  if (url === undefined || url === "")
    throw new Error(
      "This test needs PostgreSQL. Run it by `npm test`, which starts one, or name a server in KITH_TEST_DATABASE_URL (postgres://…) whose user may create databases.",
    );
  return url;
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
