import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const NEEDED_BYTES = 3 * 1024 ** 3;

/**
 * The folder for databases that live no longer than a test run: in memory where
 * the system has room for them, because a commit on SQLite waits for the disk.
 */
export function findDatabaseFolder(): string {
  return hasRoomInMemory() ? MEMORY : tmpdir();
}

function hasRoomInMemory(): boolean {
  if (process.platform !== "linux") return false;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
