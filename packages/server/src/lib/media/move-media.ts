import { OperatorError } from "../errors.ts";
import { EVER, type FolderSize, type MediaStore } from "./media-store.ts";
import { bytesOf } from "./two-media-stores.ts";

/**
 * Moves all files to another store. Each is read back there before it is removed here, so that
 * it can be stopped and begun again at any time, and run beside a server that knows both.
 * @param onMoved is called with what has been moved by then
 * @throws if a file is not the same there
 */
export async function moveMedia(
  from: MediaStore,
  to: MediaStore,
  onMoved: (moved: FolderSize) => void,
): Promise<FolderSize> {
  let moved: FolderSize = { files: 0, bytes: 0 };
  for await (const key of from.list(EVER)) {
    const bytes = await moveFile(from, to, key);
    if (bytes === undefined) continue;
    moved = { files: moved.files + 1, bytes: moved.bytes + bytes };
    onMoved(moved);
  }
  return moved;
}

/** @returns its size; undefined if it is gone meanwhile */
async function moveFile(
  from: MediaStore,
  to: MediaStore,
  key: string,
): Promise<number | undefined> {
  const found = await from.open(key);
  const bytes = found && (await bytesOf(found));
  if (!bytes) return undefined;
  // One that an interrupted move has brought there is not sent again.
  if (!(await isThere(to, key, bytes))) {
    await to.put(key, bytes);
    if (!(await isThere(to, key, bytes)))
      throw new OperatorError(
        `The file ${key} is not the same in the other store, and stays here.`,
      );
  }
  await from.remove(key);
  return bytes.length;
}

async function isThere(
  store: MediaStore,
  key: string,
  bytes: Buffer,
): Promise<boolean> {
  const found = await store.open(key);
  return found !== undefined && bytes.equals(await bytesOf(found));
}
