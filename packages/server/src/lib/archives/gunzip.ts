import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { KithError, messageOf } from "../errors.ts";
import { refuse } from "./archive-entry.ts";
import { countDown, maxUnpackedBytes, type ArchiveLimits } from "./unpack.ts";

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
    await pipeline(
      createReadStream(file),
      createGunzip(),
      countDown({ left: maxUnpackedBytes(size, limits) }),
      createWriteStream(target, { flags: "wx", mode: 0o600 }),
    );
  } catch (error) {
    throw error instanceof KithError
      ? error
      : refuse(`cannot be read: ${messageOf(error)}`);
  }
  return target;
}
