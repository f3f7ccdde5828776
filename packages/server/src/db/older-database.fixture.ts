import type { DatabaseKind } from "../../test/support/server/databases.ts";
import { createTestDatabase } from "../../test/support/server/databases.ts";
import { systemClock } from "../lib/time/clock.ts";
import type { Db, Tx } from "./db.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { openDatabase } from "./open-database.ts";

/** Brings a database up to date that was filled by a Kith without this migration yet. */
export async function bringUpToDate(
  kind: DatabaseKind,
  migration: Migration,
  fill: (tx: Tx) => Promise<void>,
  check: (db: Db) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase(kind);
  const db = await openDatabase(database.location);
  try {
    const before = MIGRATIONS.filter(({ number }) => number < migration.number);
    await migrate(db, systemClock, { migrations: before });
    await db.transaction(fill);
    await migrate(db, systemClock);
    await check(db);
  } finally {
    await db.close();
    await database.remove();
  }
}
