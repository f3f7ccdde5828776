import type { MediaStore, StoredMedia } from "./media-store.ts";

/**
 * Stores files in one store, and finds those that are still in another one, such as the folder
 * from before.
 */
export function createTwoMediaStores(
  main: MediaStore,
  other: MediaStore,
): MediaStore {
  return {
    put: (key, bytes) => main.put(key, bytes),
    copy: async (key, to, at) => {
      const found = await other.open(key);
      if (!found) return main.copy(key, to, at);
      await main.put(key, await bytesOf(found));
      await main.copy(key, to, at);
    },
    open: async (key, part) =>
      (await main.open(key, part)) ?? (await other.open(key, part)),
    ...(main.addressOf && {
      addressOf: async (key, file) => {
        const inOther = await other.open(key);
        inOther?.stream.destroy();
        return inOther ? undefined : main.addressOf?.(key, file);
      },
    }),
    remove: async (key) => {
      await other.remove(key);
      await main.remove(key);
    },
    list: async function* (before) {
      // A file that is being moved is in both. The other store is listed first: it loses files.
      const inOther = new Set<string>();
      for await (const key of other.list(before)) inOther.add(key);
      for await (const key of main.list(before))
        if (!inOther.has(key)) yield key;
      yield* inOther;
    },
    removeUnfinished: async (before) => {
      await main.removeUnfinished(before);
      await other.removeUnfinished(before);
    },
    measure: async () => {
      const [one, two] = [await main.measure(), await other.measure()];
      return {
        files: one.files + two.files,
        bytes: one.bytes + two.bytes,
      };
    },
  };
}

/** All bytes of a stored file. */
export async function bytesOf({ stream }: StoredMedia): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}
