import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { copyPostgres } from "../db/copies/copy-postgres.ts";
import { copySqlite, type CopyOptions } from "../db/copies/copy-sqlite.ts";
import {
  SQLITE_COPY,
  tableFile,
  type DatabaseCopy,
} from "../db/copies/database-copy.ts";
import type { DatabaseLocation } from "../db/open-database.ts";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import { EVER, type MediaStore } from "../lib/media/media-store.ts";
import { timestamp, type Clock } from "../lib/time/clock.ts";
import {
  fileEntry,
  textEntry,
  type BackupEntry,
  type WriteBackup,
} from "./backup-entry.ts";
import {
  createManifest,
  MANIFEST,
  MANIFEST_SUM,
  renderManifest,
  renderManifestSum,
  SEALED_KEY,
  type BackupFile,
} from "./manifest.ts";
import { sealSecretKey } from "./seal-secret-key.ts";
import type { BackupPlace } from "./places/backup-place.ts";

export type BackupDeps = {
  readonly location: DatabaseLocation;
  readonly media: Pick<MediaStore, "list" | "open">;
  readonly clock: Clock;
  /** Of Kith. */
  readonly version: string;
  readonly baseUrl: string;
  /** To seal the secret key with; without one, the backup has no key. */
  readonly passphrase?: string | undefined;
  readonly findSecretKey: () => Uint8Array | undefined;
};

/** The state of a backup in the making, or of a whole one. */
export type BackupProgress = {
  readonly files: number;
  /** Of these files. */
  readonly bytes: number;
  /** Of the database that is being copied. */
  readonly databaseBytes: number;
};

export type BackupOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
};

export type MadeBackup = {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly hasSecretKey: boolean;
};

/** Where a backup is written: a place of backups, or one file. */
export type BackupTarget = Pick<BackupPlace, "name" | "write">;

/**
 * Makes a backup of a server, which may run. It has its name only when it is whole and
 * durable. @throws {OperatorError}
 */
export async function makeBackup(
  deps: BackupDeps,
  target: BackupTarget,
  options: BackupOptions = {},
): Promise<MadeBackup> {
  refuseMissingFile(deps.location);
  try {
    return await write(deps, target.write, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    // Of the system: no space, no right to write.
    if (error instanceof OperatorError || codeOf(error) === undefined)
      throw error;
    throw new OperatorError(
      `The backup ${target.name} cannot be written: ${messageOf(error)}. Nothing of it is left.`,
    );
  }
}

/** Before anything is made. */
function refuseMissingFile(location: DatabaseLocation): void {
  if (location.kind === "sqlite" && !existsSync(location.file))
    throw new OperatorError(
      `There is no database at ${location.file}. Correct KITH_DATA_DIR.`,
    );
}

async function write(
  deps: BackupDeps,
  writeBackup: WriteBackup,
  options: BackupOptions,
): Promise<MadeBackup> {
  const files: BackupFile[] = [];
  let [bytes, databaseBytes] = [0, 0];
  const report = (): void =>
    options.onProgress?.({ files: files.length, bytes, databaseBytes });
  const copyOptions: CopyOptions = {
    signal: options.signal,
    onProgress: (copied) => {
      databaseBytes = copied;
      report();
    },
  };
  const path = await writeBackup(
    (work) => listEntries(deps, work, files, copyOptions),
    (file) => {
      files.push(file);
      bytes += file.bytes;
      report();
    },
  );
  const hasSecretKey = files.some(({ path: name }) => name === SEALED_KEY);
  return { path, files: files.length, bytes, hasSecretKey };
}

/** @param files those that are written already: all, when the manifest is made */
async function* listEntries(
  deps: BackupDeps,
  work: string,
  files: readonly BackupFile[],
  options: CopyOptions,
): AsyncGenerator<BackupEntry> {
  const { location, clock, version: kith, baseUrl } = deps;
  const seen = new Set<string>();
  yield* listMedia(deps, seen, options);
  const takenAt = timestamp(clock.now());
  const folder = path.join(work, "database");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database =
    location.kind === "sqlite"
      ? await copySqlite(location.file, folder, options)
      : await copyPostgres(location.url, folder, options);
  for (const name of filesOf(database))
    yield fileEntry(`database/${name}`, path.join(folder, name));
  // Files that rows of the copy may name, and that came after the first pass.
  yield* listMedia(deps, seen, options);
  const secretKey =
    deps.passphrase === undefined ? undefined : deps.findSecretKey();
  if (secretKey && deps.passphrase !== undefined)
    yield textEntry(
      SEALED_KEY,
      await sealSecretKey(secretKey, deps.passphrase),
    );
  const manifest = renderManifest(
    createManifest({ kith, baseUrl, takenAt, database, files: [...files] }),
  );
  yield textEntry(MANIFEST, manifest);
  yield textEntry(MANIFEST_SUM, renderManifestSum(manifest));
}

/** The names of the files of a copied database. */
export function filesOf({ kind, tables }: DatabaseCopy): string[] {
  return kind === "sqlite"
    ? [SQLITE_COPY]
    : tables.map(({ name }) => tableFile(name));
}

async function* listMedia(
  { media }: BackupDeps,
  seen: Set<string>,
  { signal }: CopyOptions,
): AsyncGenerator<BackupEntry> {
  for await (const key of media.list(EVER)) {
    signal?.throwIfAborted();
    if (seen.has(key)) continue;
    seen.add(key);
    yield {
      path: `media/${key.slice(0, 2)}/${key}`,
      isImmutable: true,
      open: async () => {
        const found = await media.open(key);
        return found && { size: found.size, chunks: found.stream };
      },
    };
  }
}
