import type { Source } from "../../features/imports/index.ts";
import type { Unpacked } from "../../lib/archives/unpack.ts";
import { openMastodonArchive } from "./mastodon-archive.ts";

/**
 * Opens the archive of another program, which is known by the files in it.
 * @returns undefined for an unknown one
 */
export async function openArchiveOfOthers(
  files: Unpacked,
): Promise<Source | undefined> {
  return Promise.resolve(openMastodonArchive(files));
}
