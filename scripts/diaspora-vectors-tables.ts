import { sql } from "kysely";
import type { Db, Tx } from "../packages/server/src/db/db.ts";

type Row = Readonly<Record<string, unknown>>;

/** Of each table all rows. */
type Tables = ReadonlyMap<string, readonly Row[]>;

/** The bookkeeping of what comes in: a refused message may be written there. */
const BOOKKEEPING = new Set(["inbound_messages", "remote_hosts"]);

/** A state of a database, to which it can be brought back. */
export type KeptState = {
  /** Names of the tables that are otherwise now, without the bookkeeping of what comes in. */
  readonly changed: () => Promise<string[]>;
  readonly restore: () => Promise<void>;
};

/** Remembers everything that is in a database now. */
export async function keepState(db: Db): Promise<KeptState> {
  const tables = await readTables(db);
  const kept = new Map(
    [...tables].map(([name, rows]) => [name, digest(rows)] as const),
  );
  const listChanged = async () =>
    [...(await readTables(db))]
      .filter(([name, rows]) => digest(rows) !== kept.get(name))
      .map(([name]) => name);
  return {
    changed: async () =>
      (await listChanged()).filter((name) => !BOOKKEEPING.has(name)),
    restore: async () => {
      if ((await listChanged()).length === 0) return;
      await db.transaction((tx) => restore(db, tx, tables));
    },
  };
}

async function readTables({ read }: Db): Promise<Tables> {
  const tables = await read.introspection.getTables();
  const found = new Map<string, readonly Row[]>();
  for (const { name } of tables) {
    const query = sql<Row>`select * from ${sql.table(name)}`;
    found.set(name, (await query.execute(read)).rows);
  }
  return found;
}

/** The order of the rows says nothing. */
function digest(rows: readonly Row[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join("\n");
}

async function restore(db: Db, tx: Tx, tables: Tables): Promise<void> {
  // The tables point at each other, so no order of them would do.
  if (db.dialect === "sqlite")
    await sql`pragma defer_foreign_keys = on`.execute(tx);
  else await sql`set local session_replication_role = replica`.execute(tx);
  for (const name of tables.keys())
    await sql`delete from ${sql.table(name)}`.execute(tx);
  for (const [name, rows] of tables)
    for (const row of rows) {
      const columns = Object.keys(row).map((column) => sql.ref(column));
      const values = Object.values(row).map((value) => sql`${value}`);
      await sql`insert into ${sql.table(name)} (${sql.join(columns)}) values (${sql.join(values)})`.execute(
        tx,
      );
    }
}
