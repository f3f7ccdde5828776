import type { Source } from "../../features/imports/index.ts";
import { readHead } from "../../lib/archives/file-form.ts";
import type { Unpacked } from "../../lib/archives/unpack.ts";
import { openDiasporaArchive } from "./diaspora-archive.ts";
import { openFriendicaAccount } from "./friendica-account.ts";
import { openMastodonArchive } from "./mastodon-archive.ts";
import { openMisskeyNotes } from "./misskey-notes.ts";
import { openPixelfedFile } from "./pixelfed-file.ts";

const HEAD_BYTES = 16 * 1024;
/** An archive with more of them is of another kind. */
const MAX_JSON_FILES = 20;

/**
 * Opens the archive of another program, which is known by the files in it.
 * @returns undefined for an unknown one
 */
export async function openArchiveOfOthers(
  files: Unpacked,
): Promise<Source | undefined> {
  const mastodon = openMastodonArchive(files);
  if (mastodon) return mastodon;
  const isAlone = files.size === 1;
  const named = [...files].filter(
    ([name]) => isAlone || /\.(json|account|backup)$/i.test(name),
  );
  for (const [, file] of named.slice(0, MAX_JSON_FILES)) {
    const head = (await readHead(file, HEAD_BYTES)).toString("utf8");
    const found =
      openDiasporaArchive({ head, file }, files) ??
      openMisskeyNotes({ head, file }, files) ??
      openPixelfedFile({ head, file }) ??
      openFriendicaAccount({ head, file });
    if (found) return found;
  }
  return undefined;
}
