import { sql } from "kysely";
import { messageOf } from "../lib/errors.ts";
import { failed, ok, type Finding } from "../lib/finding.ts";
import { DatabaseUnusable, type Db, type Tx } from "./db.ts";
import { isMigrated, refuseNewerSchema } from "./migrate.ts";

/** Checks that the database is durable and writable. Changes nothing. */
export async function examineDatabase(db: Db): Promise<Finding[]> {
  const schema = await examineSchema(db);
  if (schema.state === "failed") return [schema];
  return [schema, await examineWriting(db), await examineDurability(db)];
}

const OUTDATED = "Run kith migrate, or start kith serve, which does it first.";

const NEWER = "Start the Kith that made it, or a newer one.";

async function examineSchema(db: Db): Promise<Finding> {
  const check = "database schema";
  try {
    await refuseNewerSchema(db.read);
    return (await isMigrated(db.read))
      ? ok(check, "The database is up to date.")
      : failed(check, "The database schema is not up to date.", OUTDATED);
  } catch (error) {
    if (error instanceof DatabaseUnusable)
      return failed(check, error.message, NEWER);
    return failed(
      check,
      `The database has no schema of Kith's: ${messageOf(error)}.`,
      OUTDATED,
    );
  }
}

/** Rolls the test transaction back. */
class TakeBack extends Error {}

async function examineWriting(db: Db): Promise<Finding> {
  const check = "database writing";
  try {
    await db.transaction(async (tx) => {
      await sql`insert into schema_migrations (number, name, applied_at)
        values (-1, 'examination', '')`.execute(tx);
      throw new TakeBack();
    });
  } catch (error) {
    if (!(error instanceof TakeBack))
      return failed(
        check,
        `The database cannot be written to: ${messageOf(error)}.`,
        "See that the disk is not full, that the file or server is not read-only, and that the user of the database may write.",
      );
  }
  return ok(check, "The database can be written to.");
}

/**
 * The settings that make a commit survive a power cut, with their accepted
 * values.
 */
const DURABLE = {
  sqlite: [
    ["journal_mode", ["wal"]],
    // 1 is NORMAL, with which Kith flushes each commit; 2 is FULL, 3 EXTRA.
    ["synchronous", ["1", "2", "3"]],
  ],
  postgres: [
    ["fsync", ["on"]],
    ["full_page_writes", ["on"]],
    ["synchronous_commit", ["on", "remote_apply", "remote_write", "local"]],
  ],
} as const;

async function examineDurability(db: Db): Promise<Finding> {
  const check = "database durability";
  const wrong = await db.transaction(async (tx) => {
    const found: string[] = [];
    for (const [name, wanted] of DURABLE[db.dialect]) {
      const value = await readSetting(db, tx, name);
      if (!(wanted as readonly string[]).includes(value))
        found.push(`${name} is ${value}`);
    }
    return found;
  });
  return wrong.length === 0
    ? ok(check, "Commits survive a power cut.")
    : failed(
        check,
        `A power cut may lose committed data: ${wrong.join(", ")}.`,
        `Set ${DURABLE[db.dialect].map(([name, [value]]) => `${name} to ${value}`).join(", ")}.`,
      );
}

async function readSetting(db: Db, tx: Tx, name: string): Promise<string> {
  const query =
    db.dialect === "sqlite"
      ? sql<Record<string, unknown>>`pragma ${sql.raw(name)}`
      : sql<Record<string, unknown>>`show ${sql.raw(name)}`;
  const { rows } = await query.execute(tx);
  return String(Object.values(rows[0] ?? {})[0]);
}
