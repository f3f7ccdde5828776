import { open } from "node:fs/promises";
import { codeOf } from "../errors.ts";

/**
 * Windows cannot open a folder to sync it, and orders its changes by itself.
 */
const UNSYNCABLE = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL"]);

/** Makes the names of a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (process.platform !== "win32" || !UNSYNCABLE.has(codeOf(error) ?? ""))
      throw error;
  }
}

/** Makes the content of a file survive a power cut. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
