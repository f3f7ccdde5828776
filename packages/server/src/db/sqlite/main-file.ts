import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DatabaseUnusable } from "../db.ts";

/** Marks the header of a main file with a WAL. Any number but 0 would do. */
export const HAS_LOG = 0x4b54;

/** The header of a main file. */
const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;

/**
 * Checks whether the WAL of a main file is missing, before a connection opens
 * it for writing. @throws {DatabaseUnusable}
 */
export function refuseWithoutLog(file: string): void {
  const log = `${file}-wal`;
  if (existsSync(log) || !existsSync(file) || statSync(file).size === 0) return;
  if (readMark(file) === HAS_LOG)
    throw new DatabaseUnusable(
      `The database ${file} was copied without its log, ${log}, which holds what was written last. Copy both while Kith is stopped, or have SQLite make the copy (vacuum into). To go on with what the one file holds, put an empty file at ${log} first`,
    );
  if (holdsNothing(file))
    throw new DatabaseUnusable(
      `The database ${file} holds nothing: its log, ${log}, which may hold everything, was not copied with it. Copy both while Kith is stopped. For a new server, remove ${file} first`,
    );
}

/**
 * The user version in the header of a main file (https://www.sqlite.org/fileformat.html, section 1.3). SQLite
 * would also read the tables, and fail if the file was copied during a checkpoint. Undefined if it is no database.
 */
export function readMark(file: string): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const length = readSync(handle, header, 0, HEADER_BYTES, 0);
    const isDatabase = header.toString("latin1").startsWith(MAGIC);
    if (length < HEADER_BYTES || !isDatabase) return undefined;
    return header.readUInt32BE(USER_VERSION_AT);
  } catch {
    // It cannot be read, which the opening that follows explains.
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Has a main file no table? Reads it alone, without creating files. */
function holdsNothing(file: string): boolean {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const found = database.prepare("select 1 from sqlite_schema limit 1").get();
    return found === undefined;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}
