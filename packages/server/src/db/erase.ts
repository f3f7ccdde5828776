import { sql } from "kysely";
import type { Db, Tx } from "./db.ts";

/**
 * While `work` runs, what this process replaces or deletes is overwritten in the
 * file of SQLite. PostgreSQL keeps old versions of rows until `forgetOldVersions`.
 */
export async function eraseWhatIsReplaced(
  db: Db,
  work: () => Promise<void>,
): Promise<void> {
  if (db.dialect === "postgres") return work();
  const before = await db.transaction(async (tx) => {
    const { rows } = await sql<{
      secure_delete: number;
    }>`pragma secure_delete`.execute(tx);
    await setSecureDelete(tx, 1);
    return rows[0]?.secure_delete ?? 0;
  });
  try {
    await work();
  } finally {
    await db.transaction((tx) => setSecureDelete(tx, before));
  }
}

/** 0 is off, 1 on, 2 as far as it costs nothing. */
async function setSecureDelete(tx: Tx, value: number): Promise<void> {
  const word = ["off", "on", "fast"][value] ?? "off";
  await sql`pragma secure_delete = ${sql.raw(word)}`.execute(tx);
}

/**
 * Takes from the disk what rows of small tables held before: SQLite's log, and the
 * versions that PostgreSQL keeps. Not what backups, PostgreSQL's own log, and blocks
 * that the file system has freed may hold.
 */
export async function forgetOldVersions(
  db: Db,
  tables: readonly string[],
): Promise<void> {
  if (db.dialect === "sqlite") {
    await sql`pragma wal_checkpoint(truncate)`.execute(db.read);
    return;
  }
  for (const table of tables)
    await sql`vacuum full ${sql.table(table)}`.execute(db.read);
}
