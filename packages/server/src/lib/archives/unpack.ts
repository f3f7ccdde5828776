import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { KithError, messageOf } from "../errors.ts";
import { refuse } from "./archive-entry.ts";
import { readForm } from "./file-form.ts";
import { readTarEntries } from "./read-tar.ts";
import { readZipEntries } from "./read-zip.ts";
import { writeToFile } from "./write-to-file.ts";

/** An archive is untrusted: what one may hold, unpacked. */
export type ArchiveLimits = {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** The bytes of the files together, as a multiple of the bytes of the archive. */
  readonly maxRatio: number;
};

export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 200_000,
  maxBytes: 20 * 1024 ** 3,
  // Texts shrink to a tenth, lists of addresses to a fortieth.
  maxRatio: 100,
};

/** However small the archive is. */
const ALWAYS_ALLOWED_BYTES = 10 * 1024 * 1024;
const MAX_NAME_LENGTH = 1_000;

/** An unpacked archive: its files on the disk, by their names in it. */
export type Unpacked = ReadonlyMap<string, string>;

/**
 * Unpacks a zip or tar.gz file into an existing folder. The files get numbers as names, so no
 * name in the archive can lead out of the folder; links and devices are refused, and an archive
 * inside the archive stays packed.
 * @throws {KithError} `bad_request` for a file that is neither, is damaged, or exceeds a limit
 */
export async function unpackArchive(
  file: string,
  folder: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Unpacked> {
  const form = await readForm(file);
  if (form !== "zip" && form !== "tar.gz")
    throw refuse("is neither a zip nor a tar.gz file");
  const { size } = await stat(file);
  const files = new Map<string, string>();
  const allowance = { left: maxUnpackedBytes(size, limits) };
  await mkdir(folder, { recursive: true });
  try {
    const entries =
      form === "zip"
        ? readZipEntries(file, limits.maxEntries)
        : readTarEntries(createReadStream(file), limits.maxEntries);
    for await (const { name, stream } of entries) {
      const key = readName(name);
      if (files.has(key)) throw refuse("names a file twice");
      const target = path.join(folder, String(files.size));
      await writeToFile(target, [stream, countDown(allowance)]);
      files.set(key, target);
    }
  } catch (error) {
    throw error instanceof KithError
      ? error
      : refuse(`cannot be read: ${messageOf(error)}`);
  }
  return files;
}

/** How many bytes a packed file of this size may unpack to. */
export function maxUnpackedBytes(
  size: number,
  { maxBytes, maxRatio }: ArchiveLimits,
): number {
  return Math.min(maxBytes, Math.max(size * maxRatio, ALWAYS_ALLOWED_BYTES));
}

/** The name is a key, never a path on this machine. */
function readName(name: string): string {
  const key = name.replace(/^(?:\.?\/)+/, "");
  if (key === "" || key.length > MAX_NAME_LENGTH)
    throw refuse("has a file without a usable name");
  if (key.includes("\0") || key.includes("\\") || key.split("/").includes(".."))
    throw refuse("has a file whose name leads out of it");
  return key;
}

/** Counts the bytes that come, not those that were declared. */
export function countDown(allowance: { left: number }): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      allowance.left -= chunk.length;
      if (allowance.left < 0) done(refuse("unpacks to more than is allowed"));
      else done(null, chunk);
    },
  });
}
