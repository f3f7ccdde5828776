import { openPromise } from "yauzl";
import { refuse, type ArchiveEntry } from "./archive-entry.ts";

/** The kinds of files that zip files of Unix know, in the upper half of the attributes. */
const KIND_MASK = 0o170000;
const PLAIN = 0o100000;
const FOLDER = 0o040000;

/**
 * The plain files of a zip file. The library refuses names that lead out of it, and files that
 * unpack to more than they declare.
 */
export async function* readZipEntries(
  file: string,
  maxEntries: number,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const zip = await openPromise(file, { strictFileNames: true });
  if (zip.entryCount > maxEntries) {
    zip.close();
    throw refuse("has too many files");
  }
  for await (const entry of zip.eachEntry()) {
    const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
    if (entry.fileName.endsWith("/") || kind === FOLDER) continue;
    // 0: made where files have no such kind.
    if (kind !== 0 && kind !== PLAIN) throw refuse("holds links or devices");
    if (entry.isEncrypted()) throw refuse("is encrypted");
    const stream = await zip.openReadStreamPromise(entry);
    yield { name: entry.fileName, stream };
  }
}
