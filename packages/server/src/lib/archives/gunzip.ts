import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { createGunzip } from "node:zlib";
import { KithError, messageOf } from "../errors.ts";
import { refuse } from "./archive-entry.ts";
import { countDown, maxUnpackedBytes, type ArchiveLimits } from "./unpack.ts";
import { writeToFile } from "./write-to-file.ts";

/**
 * Decompresses one file into a folder.
 * @returns the name of the plain file
 * @throws {KithError} `bad_request` if it is damaged, or larger than allowed
 */
export async function gunzipInto(
  file: string,
  folder: string,
  limits: ArchiveLimits,
): Promise<string> {
  const { size } = await stat(file);
  await mkdir(folder, { recursive: true });
  const target = path.join(folder, "0");
  try {
    await writeToFile(target, [
      createReadStream(file),
      createGunzip(),
      countDown({ left: maxUnpackedBytes(size, limits) }),
    ]);
  } catch (error) {
    throw error instanceof KithError
      ? error
      : refuse(`cannot be read: ${messageOf(error)}`);
  }
  return target;
}
