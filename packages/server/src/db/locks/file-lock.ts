import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../lib/errors.ts";

/**
 * Locks a file for this process. The lock is SQLite's own: its file locks work on
 * every system and end with the process, even if it is killed.
 * @returns undefined if another process holds it
 * @throws where the file cannot be made
 */
export function takeFileLock(
  file: string,
): { readonly release: () => void } | undefined {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("begin exclusive");
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (messageOf(error).includes("locked")) return undefined;
    throw error;
  }
}
