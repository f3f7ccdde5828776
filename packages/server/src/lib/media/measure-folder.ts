import { opendir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../errors.ts";
import type { FolderSize } from "./media-store.ts";

/** Measures the files below a folder, one after the other; a missing folder is empty. */
export async function measureFolder(folder: string): Promise<FolderSize> {
  let files = 0;
  let bytes = 0;
  for await (const file of listFiles(folder)) {
    const size = await sizeOf(file);
    if (size === undefined) continue;
    files += 1;
    bytes += size;
  }
  return { files, bytes };
}

async function* listFiles(folder: string): AsyncGenerator<string> {
  try {
    const entries = await opendir(folder, { recursive: true });
    for await (const entry of entries)
      if (entry.isFile()) yield path.join(entry.parentPath, entry.name);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** undefined for a file that was removed meanwhile */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
