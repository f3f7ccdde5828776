import type { DatabaseCopy } from "../db/copies/database-copy.ts";
import { MIGRATIONS } from "../db/migrate.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Manifest } from "./manifest.ts";

/** @throws {OperatorError} if the restored tables do not have the rows of the copied ones */
export function compareCopies(
  copied: DatabaseCopy,
  restored: DatabaseCopy,
  leftOut: readonly string[] = [],
): void {
  const found = new Map(restored.tables.map((table) => [table.name, table]));
  for (const { name, rows, sample } of copied.tables) {
    if (leftOut.includes(name)) continue;
    const table = found.get(name);
    if (table?.rows !== rows)
      throw new OperatorError(
        `The restored table ${name} has ${table?.rows ?? "no"} rows instead of ${rows}.`,
      );
    if (table.sample !== sample)
      throw new OperatorError(
        `The restored table ${name} does not have the last rows that were copied.`,
      );
  }
}

/** @throws {OperatorError} if this Kith cannot use the database */
export function refuseNewerBackup({ kith, database }: Manifest): void {
  const known = new Set(MIGRATIONS.map(({ number }) => number));
  const unknown = database.migrations.find((number) => !known.has(number));
  if (unknown !== undefined)
    throw new OperatorError(
      `The backup was made by Kith ${kith}, which is newer (its schema has step ${unknown}). Restore it with that version, or a later one.`,
    );
}
