import { existsSync } from "node:fs";
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { SQLITE_COPY } from "../db/copies/database-copy.ts";
import { examineSqliteCopy } from "../db/copies/examine-sqlite-copy.ts";
import {
  loadPostgres,
  refuseFullPostgres,
} from "../db/copies/load-postgres.ts";
import { takeFileLock } from "../db/locks/file-lock.ts";
import type { DatabaseLocation } from "../db/open-database.ts";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import { syncFolder } from "../lib/media/durable-files.ts";
import type { Clock } from "../lib/time/clock.ts";
import { compareCopies, refuseNewerBackup } from "./compare-copies.ts";
import { RESTORING } from "./half-restored.ts";
import { SEALED_KEY, type Manifest } from "./manifest.ts";
import type { ReadOptions } from "./check-files.ts";
import { readBackup, type BackupSource } from "./read-backup.ts";
import { openSecretKeySeal } from "./seal-secret-key.ts";

export type RestoreDeps = {
  readonly dataDir: string;
  readonly location: DatabaseLocation;
  readonly clock: Clock;
  readonly passphrase?: string | undefined;
  /** The key that is in this place already, as a file or a setting. */
  readonly findSecretKey: () => Uint8Array | undefined;
  readonly onProgress?: ReadOptions["onProgress"];
};

export type Restored = {
  readonly manifest: Manifest;
  /** Tables of the copied database that are not Kith's. */
  readonly leftOut: readonly string[];
  /** Whether the place has a secret key now. */
  readonly hasSecretKey: boolean;
};

/** Files that may be in an empty place: a restore neither reads nor changes them. */
const MAY_BE_THERE = new Set(["kith.toml", "secret.key", "lost+found"]);
const IS_LOCK = /\.lock(?:-journal)?$/;
const MEDIA = "media";
const SECRET_KEY = "secret.key";
const LOCK = "restore.lock";

/**
 * Restores a backup into an empty place. The database comes last and at once: before
 * that, `refuseHalfRestored` keeps servers away, and another restore begins anew.
 * @throws {OperatorError} if the place is used, or the backup is damaged
 */
export async function restoreBackup(
  deps: RestoreDeps,
  backup: BackupSource,
): Promise<Restored> {
  const { dataDir, location } = deps;
  try {
    refuseUsedFile(location);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const lock = takeFileLock(
      location.kind === "sqlite"
        ? `${location.file}.lock`
        : path.join(dataDir, LOCK),
    );
    if (!lock)
      throw new OperatorError(
        `Another Kith, or another restore, is running in ${dataDir}.`,
      );
    try {
      return await restore(deps, backup);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof OperatorError || codeOf(error) === undefined)
      throw error;
    throw new OperatorError(
      `The backup cannot be restored: ${messageOf(error)}.`,
    );
  }
}

async function restore(
  deps: RestoreDeps,
  backup: BackupSource,
): Promise<Restored> {
  const { dataDir, location } = deps;
  if (location.kind === "postgres") await refuseFullPostgres(location.url);
  else refuseUsedFile(location);
  const stage = path.join(dataDir, RESTORING);
  await prepareStage(dataDir, stage);
  let isMoving = false;
  try {
    const { onProgress } = deps;
    const isKept = (): boolean => true;
    const manifest = await readBackup(backup, stage, { isKept, onProgress });
    refuseNewerBackup(manifest);
    refuseOtherKind(manifest, location);
    const secretKey = await findSealedKey(deps, stage, manifest);
    const moveFiles = async (): Promise<void> => {
      isMoving = true;
      if (secretKey) await writeKey(dataDir, secretKey);
      if (existsSync(path.join(stage, MEDIA)))
        await rename(path.join(stage, MEDIA), path.join(dataDir, MEDIA));
      await syncFolder(dataDir);
    };
    const leftOut = await putDatabase(deps, stage, manifest, moveFiles);
    await rm(stage, { recursive: true });
    const hasSecretKey = deps.findSecretKey() !== undefined;
    return { manifest, leftOut, hasSecretKey };
  } catch (error) {
    // Once files have moved, the stage says that they belong to no server.
    if (!isMoving) await rm(stage, { recursive: true, force: true });
    throw error;
  }
}

/** @returns the tables that were left out */
async function putDatabase(
  { location, clock }: RestoreDeps,
  stage: string,
  { database: copy }: Manifest,
  moveFiles: () => Promise<void>,
): Promise<readonly string[]> {
  const folder = path.join(stage, "database");
  if (location.kind === "postgres") {
    const load = { url: location.url, folder, copy, clock };
    const loaded = await loadPostgres(load, moveFiles);
    return loaded.leftOut;
  }
  const file = path.join(folder, SQLITE_COPY);
  compareCopies(copy, examineSqliteCopy(file));
  await moveFiles();
  await rename(file, location.file);
  await syncFolder(path.dirname(location.file));
  return [];
}

function refuseUsedFile(location: DatabaseLocation): void {
  if (location.kind !== "sqlite") return;
  for (const file of [location.file, `${location.file}-wal`])
    if (existsSync(file))
      throw new OperatorError(
        `There is a server already: ${file}. A backup is restored into an empty place only.`,
      );
}

/**
 * Begins in an empty place, or in one where a restore was interrupted: that one began
 * in an empty place, so everything else there is of its making.
 */
async function prepareStage(dataDir: string, stage: string): Promise<void> {
  if (existsSync(stage))
    for (const left of [path.join(dataDir, MEDIA), stage])
      await rm(left, { recursive: true, force: true });
  const found = (await readdir(dataDir)).find(
    (name) => !MAY_BE_THERE.has(name) && !IS_LOCK.test(name),
  );
  if (found !== undefined)
    throw new OperatorError(
      `The data directory ${dataDir} is used: it has ${found}. A backup is restored into an empty place only.`,
    );
  await mkdir(stage, { mode: 0o700 });
  await syncFolder(dataDir);
}

function refuseOtherKind(
  { database }: Manifest,
  location: DatabaseLocation,
): void {
  if (database.kind === location.kind) return;
  throw new OperatorError(
    database.kind === "sqlite"
      ? "The backup is of SQLite. Leave out KITH_DATABASE_URL."
      : "The backup is of PostgreSQL. Name an empty database in KITH_DATABASE_URL.",
  );
}

/** @returns the key to write; undefined if there is none, or it is here already */
async function findSealedKey(
  { passphrase, findSecretKey }: RestoreDeps,
  stage: string,
  { files }: Manifest,
): Promise<Uint8Array | undefined> {
  const isSealed = files.some(({ path: name }) => name === SEALED_KEY);
  if (!isSealed || passphrase === undefined) return undefined;
  const text = await readFile(path.join(stage, SEALED_KEY), "utf8");
  const key = await openSecretKeySeal(text, passphrase);
  const present = findSecretKey();
  if (present === undefined) return key;
  if (Buffer.compare(present, key) !== 0)
    throw new OperatorError(
      "The secret key that is here already is not that of the backup. Remove it first, if it belongs to no other server.",
    );
  return undefined;
}

async function writeKey(dataDir: string, key: Uint8Array): Promise<void> {
  const file = path.join(dataDir, SECRET_KEY);
  // From an interrupted restore.
  await rm(file, { force: true });
  await writeFile(file, `${Buffer.from(key).toString("hex")}\n`, {
    flag: "wx",
    mode: 0o600,
    flush: true,
  });
}
