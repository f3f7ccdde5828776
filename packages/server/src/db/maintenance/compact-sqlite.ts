import { statfs } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { messageOf, OperatorError } from "../../lib/errors.ts";
import type { Db } from "../db.ts";
import { lockInstance } from "../locks/instance-lock.ts";
import { openDatabase } from "../open-database.ts";
import {
  mergeWords,
  PAUSE_MS,
  readPages,
  releasePages,
} from "./maintain-database.ts";

/** An SQLite file: its size, and the part of it that is free. */
export type FileState = {
  readonly bytes: number;
  readonly freeBytes: number;
  /** Was it made to shrink in steps? */
  readonly canShrink: boolean;
};

export async function examineFile(db: Db): Promise<FileState> {
  const { free, total, pageBytes, canShrink } = await readPages(db);
  return { bytes: total * pageBytes, freeBytes: free * pageBytes, canShrink };
}

/**
 * Returns all free space of an SQLite file to the file system, also while a server uses it: in
 * steps of some megabytes, each a short transaction, with pauses between them. It may be stopped
 * at any time. No statistics are gathered: see `maintainDatabase`.
 * @param onProgress is called with the bytes that are free still
 * @returns the state afterwards; a file that cannot shrink keeps its size
 */
export async function compactSqlite(
  db: Db,
  onProgress: (freeBytes: number) => void,
): Promise<FileState> {
  while ((await mergeWords(db)) >= 2) await pause(PAUSE_MS);
  while (await releasePages(db, 0)) {
    onProgress((await examineFile(db)).freeBytes);
    await pause(PAUSE_MS);
  }
  // The file itself shrinks with its log. A checkpoint of this kind waits for nobody.
  await sql`pragma wal_checkpoint(passive)`.execute(db.read);
  return examineFile(db);
}

/** A file is written anew beside its log, and what is copied may stand in a temporary file, too. */
const SPACE_FACTOR = 2;

/**
 * Writes an SQLite file anew, without free space and so that it can shrink in steps from then on.
 * Only while no server uses it. It blocks this process; killed, it has changed nothing.
 * @param onBegin is called with the state before, once nothing stands against it
 * @throws {OperatorError} if a server is running, or the disk is too full
 */
export async function rewriteSqlite(
  file: string,
  onBegin: (before: FileState) => void,
): Promise<{ readonly before: FileState; readonly after: FileState }> {
  const location = { kind: "sqlite", file } as const;
  const lock = await lockInstance(location);
  try {
    // It keeps the log and its mark in order.
    const db = await openDatabase(location);
    try {
      const before = await examineFile(db);
      await refuseFullDisk(file, before);
      onBegin(before);
      vacuum(file);
      return { before, after: await examineFile(db) };
    } finally {
      await db.close();
    }
  } finally {
    await lock.release();
  }
}

async function refuseFullDisk(
  file: string,
  { bytes, freeBytes }: FileState,
): Promise<void> {
  const folder = path.dirname(file);
  const { bavail, bsize } = await statfs(folder);
  const needed = SPACE_FACTOR * (bytes - freeBytes);
  if (bavail * bsize < needed)
    throw new OperatorError(
      `Writing the database anew needs ${needed} bytes on the disk of ${folder}, which has ${bavail * bsize} left. Nothing was changed.`,
    );
}

function vacuum(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec(`pragma auto_vacuum = incremental; vacuum;
      pragma wal_checkpoint(truncate)`);
  } catch (error) {
    throw new OperatorError(
      `The database ${file} cannot be written anew: ${messageOf(error)}. Nothing was changed.`,
    );
  } finally {
    database.close();
  }
}
