import { sql } from "kysely";
import type { Db, Tx } from "../../packages/server/src/db/db.ts";

type Row = Readonly<Record<string, unknown>>;

/** The bookkeeping of inbound messages, which a refused message may change, and counters. */
const BOOKKEEPING = new Set([
  "host_deliveries",
  "inbound_messages",
  "known_networks",
  "remote_hosts",
  "statistics",
  "unproven_messages",
]);

/** A restorable state of a database. */
export type KeptState = {
  /** Names of the changed tables, without the bookkeeping of inbound messages. */
  readonly changed: () => Promise<string[]>;
  /** Ignores previous changes until the next `restore`. */
  readonly overlook: () => Promise<void>;
  readonly restore: () => Promise<void>;
};

/** Saves the content of a database. */
export async function keepState(db: Db): Promise<KeptState> {
  const tables = await db.read.introspection.getTables();
  const names = tables
    .map(({ name }) => name)
    // The index of words follows the posts, and SQLite changes its parts alone.
    .filter((name) => !name.startsWith("post_search"));
  const computed = await listComputed(db);
  const rows = new Map<string, readonly Row[]>();
  for (const name of names) rows.set(name, await readTable(db, name));
  const kept = new Map(names.map((name) => [name, digest(rows.get(name))]));
  const overlooked = new Map<string, string>();
  const listChanged = async () => {
    const found = await Promise.all(
      names.map(async (name) => {
        const now = digest(await readTable(db, name));
        return now === kept.get(name) ? [] : [{ name, now }];
      }),
    );
    return found.flat();
  };
  return {
    changed: async () =>
      (await listChanged())
        .filter(({ name, now }) => now !== overlooked.get(name))
        .map(({ name }) => name)
        .filter((name) => !BOOKKEEPING.has(name)),
    overlook: async () => {
      for (const { name, now } of await listChanged())
        overlooked.set(name, now);
    },
    restore: async () => {
      overlooked.clear();
      const changed = (await listChanged()).map(({ name }) => name);
      if (changed.length === 0) return;
      // On SQLite, deleting a row deletes dependent rows of other tables.
      const lost = db.dialect === "sqlite" ? names : changed;
      await db.transaction((tx) =>
        restore(
          db,
          tx,
          lost.map((name) => [name, rows.get(name) ?? []]),
          computed,
        ),
      );
    },
  };
}

async function readTable({ read }: Db, name: string): Promise<readonly Row[]> {
  const query = sql<Row>`select * from ${sql.table(name)}`;
  return (await query.execute(read)).rows;
}

/** Columns that the database computes itself, as `table.column`. */
async function listComputed({ dialect, read }: Db): Promise<Set<string>> {
  const query =
    dialect === "sqlite"
      ? sql<{ name: string }>`
          select tables.name || '.' || columns.name as name
          from sqlite_master as tables, pragma_table_xinfo(tables.name) as columns
          where tables.type = 'table' and columns.hidden in (2, 3)`
      : sql<{ name: string }>`
          select table_name || '.' || column_name as name
          from information_schema.columns
          where table_schema = current_schema() and is_generated = 'ALWAYS'`;
  const { rows } = await query.execute(read);
  return new Set(rows.map(({ name }) => name));
}

/** Ignores the order of rows. */
function digest(rows: readonly Row[] = []): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join("\n");
}

async function restore(
  db: Db,
  tx: Tx,
  tables: readonly (readonly [string, readonly Row[]])[],
  computed: ReadonlySet<string>,
): Promise<void> {
  // The tables refer to each other, so no order would work.
  if (db.dialect === "sqlite")
    await sql`pragma defer_foreign_keys = on`.execute(tx);
  else await sql`set local session_replication_role = replica`.execute(tx);
  for (const [name] of tables)
    await sql`delete from ${sql.table(name)}`.execute(tx);
  for (const [name, [first, ...others]] of tables) {
    // A trigger on a table before may have filled it: `posts` fills `unplaced_posts`.
    await sql`delete from ${sql.table(name)}`.execute(tx);
    if (!first) continue;
    const columns = Object.keys(first).filter(
      (column) => !computed.has(`${name}.${column}`),
    );
    const values = [first, ...others].map(
      (row) => sql`(${sql.join(columns.map((column) => sql`${row[column]}`))})`,
    );
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`.execute(
      tx,
    );
  }
}
