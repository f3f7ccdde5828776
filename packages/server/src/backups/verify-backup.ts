import { readFile } from "node:fs/promises";
import path from "node:path";
import { SQLITE_COPY } from "../db/copies/database-copy.ts";
import { examineSqliteCopy } from "../db/copies/examine-sqlite-copy.ts";
import { tryLoadingPostgres } from "../db/copies/load-postgres.ts";
import type { DatabaseLocation } from "../db/open-database.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Clock } from "../lib/time/clock.ts";
import { compareCopies, refuseNewerBackup } from "./compare-copies.ts";
import { SEALED_KEY, type Manifest } from "./manifest.ts";
import { NoRoom, type ReadOptions } from "./check-files.ts";
import { readBackup, type BackupSource } from "./read-backup.ts";
import { openSecretKeySeal } from "./seal-secret-key.ts";
import { makeTemporaryFolder, OTHER_FOLDER } from "./temporary-folder.ts";

export type VerifyBackupDeps = {
  /**
   * The configured database: a backup of PostgreSQL is loaded there in a transaction
   * that is taken back.
   */
  readonly location: DatabaseLocation;
  readonly clock: Clock;
  readonly passphrase?: string | undefined;
  readonly onProgress?: ReadOptions["onProgress"];
};

/**
 * Reads all of a backup, restores its database into a temporary place, and compares
 * the number of rows and the last rows of each table. @throws {OperatorError}
 */
export async function verifyBackup(
  deps: VerifyBackupDeps,
  backup: BackupSource,
): Promise<Manifest> {
  const { folder, remove } = await makeTemporaryFolder("kith-verify-");
  try {
    const manifest = await readBackup(backup, folder, {
      isKept: (name) => name.startsWith("database/") || name === SEALED_KEY,
      onProgress: deps.onProgress,
    });
    refuseNewerBackup(manifest);
    await tryDatabase(deps, folder, manifest);
    const isSealed = manifest.files.some(({ path: it }) => it === SEALED_KEY);
    if (isSealed && deps.passphrase !== undefined)
      await openSecretKeySeal(
        await readFile(path.join(folder, SEALED_KEY), "utf8"),
        deps.passphrase,
      );
    return manifest;
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    throw new OperatorError(`${error.message} ${OTHER_FOLDER}`);
  } finally {
    await remove();
  }
}

async function tryDatabase(
  { location, clock }: VerifyBackupDeps,
  folder: string,
  { database: copy }: Manifest,
): Promise<void> {
  const files = path.join(folder, "database");
  if (copy.kind === "sqlite")
    return compareCopies(
      copy,
      examineSqliteCopy(path.join(files, SQLITE_COPY)),
    );
  if (location.kind === "sqlite")
    throw new OperatorError(
      "The backup is of PostgreSQL. Name a database in KITH_DATABASE_URL, in which it is loaded and taken back.",
    );
  const load = { url: location.url, folder: files, copy, clock };
  const { copy: loaded, leftOut } = await tryLoadingPostgres(load);
  compareCopies(copy, loaded, leftOut);
}
