import { randomBytes } from "node:crypto";
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../errors.ts";
import { syncFolder } from "./durable-files.ts";
import { measureFolder } from "./measure-folder.ts";
import {
  isMediaKey,
  isUnfinished,
  refuseMalformedKey,
  nameUnfinished,
} from "./media-keys.ts";
import type { MediaStore } from "./media-store.ts";

const FOLDER = /^[a-z0-9]{2}$/;

/**
 * Stores files in a folder, each in a subfolder named by the first two letters
 * of its key.
 */
export function createFileMediaStore(root: string): MediaStore {
  return {
    put: (key, bytes) => put(root, key, bytes),
    copy: (key, to, at) => copy(root, key, to, at),
    open: async (key, part) => {
      const handle = await openIfPresent(pathOf(root, key));
      if (!handle) return undefined;
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(part), size };
    },
    remove: (key) => rm(pathOf(root, key), { force: true }),
    list: async function* (before) {
      for await (const file of listBefore(root, before))
        if (isMediaKey(file.name)) yield file.name;
    },
    measure: () => measureFolder(root),
    removeUnfinished: async (before) => {
      for await (const file of listBefore(root, before))
        if (isUnfinished(file.name)) await rm(file.path, { force: true });
    },
  };
}

function pathOf(root: string, key: string): string {
  refuseMalformedKey(key);
  return path.join(root, key.slice(0, 2), key);
}

async function put(
  root: string,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  const target = pathOf(root, key);
  const folder = path.dirname(target);
  const part = nameUnfinished(target, randomBytes(6).toString("hex"));
  const made = await mkdir(folder, { recursive: true });
  try {
    await writeDurably(part, bytes);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncFolder(folder);
  // A new folder is itself an entry of its parent.
  if (made !== undefined) await syncFoldersAbove(folder, made);
}

/** File systems without hard links, or a file with too many of them. */
const UNLINKABLE = new Set(["EPERM", "EXDEV", "EMLINK", "ENOTSUP", "ENOSYS"]);

async function copy(
  root: string,
  key: string,
  to: string,
  at: Date,
): Promise<void> {
  const [source, target] = [pathOf(root, key), pathOf(root, to)];
  const folder = path.dirname(target);
  const made = await mkdir(folder, { recursive: true });
  try {
    // The new name has the age of the file, by which orphans are swept.
    await utimes(source, at, at);
    await link(source, target);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "ENOENT") return;
    if (!UNLINKABLE.has(code)) throw error;
    await put(root, to, await readFile(source));
  }
  await syncFolder(folder);
  if (made !== undefined) await syncFoldersAbove(folder, made);
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFoldersAbove(folder: string, made: string): Promise<void> {
  const last = path.dirname(path.resolve(made));
  let current = path.resolve(folder);
  while (current !== last) {
    current = path.dirname(current);
    await syncFolder(current);
  }
}

async function openIfPresent(file: string) {
  try {
    return await open(file, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

type OldFile = { readonly name: string; readonly path: string };

async function* listBefore(
  root: string,
  before: Date,
): AsyncGenerator<OldFile> {
  for (const folder of await listFolder(root)) {
    if (!FOLDER.test(folder)) continue;
    for (const name of await listFolder(path.join(root, folder))) {
      const file = path.join(root, folder, name);
      if (await isOlder(file, before)) yield { name, path: file };
    }
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

async function isOlder(file: string, before: Date): Promise<boolean> {
  try {
    const { mtime } = await stat(file);
    return mtime < before;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
