import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract as createExtract } from "tar-stream";
import { refuse, type ArchiveEntry } from "./archive-entry.ts";

/**
 * The plain files of a compressed tar file, in their order. The library refuses headers that
 * would fill the memory.
 */
export async function* readTarEntries(
  packed: Readable,
  maxEntries: number,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const extract = createExtract();
  const reading = pipeline(packed, createGunzip(), extract);
  // If an entry is refused, that is the error, and not the end of the reading.
  reading.catch(() => {});
  let entries = 0;
  for await (const entry of extract) {
    entries += 1;
    if (entries > maxEntries) throw refuse("has too many files");
    const { name, type } = entry.header;
    if (type === "file") yield { name, stream: entry as unknown as Readable };
    else if (type === "directory") entry.resume();
    else throw refuse("holds links or devices");
  }
  await reading;
}
