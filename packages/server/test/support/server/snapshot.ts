import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../../src/db/db.ts";

/** Of each table how many rows it has, and a hash of all that is in them. */
export type Snapshot = Readonly<
  Record<string, { readonly rows: number; readonly digest: string }>
>;

/** SQLite keeps its index of words in tables with numbers beyond 2^53; `docsize` has its rows. */
export const PARTS_OF_INDEX = /^post_search_(?:config|data|docsize|idx)$/;

/** Counters in memory are stored from time to time, whatever was counted. */
export const STORED_LATER: ReadonlySet<string> = new Set([
  "host_deliveries",
  "statistics",
]);

type Taken = { readonly mark: string; readonly snapshot: Promise<Snapshot> };

const taken = new WeakMap<Db, Taken>();

/**
 * Two snapshots are equal exactly where nothing was written between them. Where the database
 * itself says so, it is not read again.
 */
export async function takeSnapshot(db: Db): Promise<Snapshot> {
  const mark = await db.mark();
  const last = taken.get(db);
  if (last?.mark === mark) return last.snapshot;
  const snapshot = readAll(db);
  taken.set(db, { mark, snapshot });
  return snapshot;
}

async function readAll(db: Db): Promise<Snapshot> {
  const tables = await db.read.introspection.getTables();
  const names = tables
    .map(({ name }) => name)
    .filter((name) => !PARTS_OF_INDEX.test(name) && !STORED_LATER.has(name))
    .sort();
  const entries = names.map(async (name) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(
      db.read,
    );
    return [name, { rows: rows.length, digest: digestOf(rows) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The order of the rows says nothing, so it does not count. */
function digestOf(rows: readonly unknown[]): string {
  const lines = rows.map((row) => JSON.stringify(row)).sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
