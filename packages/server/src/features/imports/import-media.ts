import { open, readFile } from "node:fs/promises";
import { KithError } from "../../lib/errors.ts";
import { imageFormatOf } from "../../lib/images/image.ts";
import { recordingFormatOf } from "../../lib/recordings/recording.ts";
import type { PhotoId } from "../ids.ts";
import { MAX_PHOTOS } from "../photos/index.ts";
import { MAX_TEXT_LENGTH } from "../posts/index.ts";
import type { Fault, SourceMedia, ItemWriting } from "./import-item.ts";
import type { ImportDeps, ImportRun } from "./import-run.ts";

/** Enough to tell the form of any file that is accepted. */
const FIRST_BYTES = 4096;

type UsableMedia = {
  readonly media: SourceMedia;
  /** null for one that is fetched from the other server. */
  readonly file: string | null;
};

/** The pictures of a post or comment that may be imported; the others are counted. */
export async function findUsableMedia(
  deps: Pick<ImportDeps, "maxMediaBytes">,
  run: ImportRun,
  writing: Pick<ItemWriting, "media">,
  name: string,
): Promise<UsableMedia[]> {
  const { source, outcomes, isRehearsal } = run;
  const usable: UsableMedia[] = [];
  for (const media of writing.media) {
    const shown = media.name || name;
    const file = source.fileOf(media.name) ?? null;
    const fault =
      usable.length >= MAX_PHOTOS
        ? "too_many"
        : await findFault(deps, run, media, file);
    if (fault) outcomes.note("picture", fault, shown);
    else {
      usable.push({ media, file });
      if (isRehearsal) outcomes.note("picture", "added", shown);
    }
  }
  return usable;
}

async function findFault(
  { maxMediaBytes }: Pick<ImportDeps, "maxMediaBytes">,
  { limits, outcomes }: ImportRun,
  { url }: SourceMedia,
  file: string | null,
): Promise<Fault | undefined> {
  if (limits && outcomes.count(["picture"]) >= limits.maxPictures)
    return "too_many";
  if (file === null) return url === undefined ? "missing" : undefined;
  return (await isUsable(file, maxMediaBytes)) ? undefined : "unreadable";
}

export async function isUsable(
  file: string,
  maxBytes: number,
): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Buffer.alloc(Math.min(FIRST_BYTES, size));
    await handle.read(start, 0, start.length, 0);
    const isKnown =
      imageFormatOf(start) !== undefined ||
      recordingFormatOf(start) !== undefined;
    return isKnown && size <= maxBytes;
  } finally {
    await handle.close();
  }
}

/**
 * Stores pictures as any upload: encoded anew, without their metadata. If the post is never
 * stored, they are deleted after a while like any forgotten upload.
 */
export async function uploadMedia(
  deps: Pick<ImportDeps, "fetchPicture" | "photos">,
  { user, outcomes }: ImportRun,
  usable: readonly UsableMedia[],
  name: string,
): Promise<PhotoId[]> {
  const ids: PhotoId[] = [];
  for (const { media, file } of usable) {
    const shown = media.name || name;
    const bytes = await readMedia(deps, media, file);
    if (!bytes) {
      outcomes.note("picture", "missing", shown);
      continue;
    }
    const text = [...media.text.slice(0, 2 * MAX_TEXT_LENGTH)]
      .slice(0, MAX_TEXT_LENGTH)
      .join("");
    try {
      const { id } = await deps.photos.upload({
        ...{ owner: user, bytes, text },
        focus: media.focus,
      });
      ids.push(id);
      outcomes.note("picture", "added", shown);
    } catch (error) {
      if (!(error instanceof KithError) || error.code === "unavailable")
        throw error;
      outcomes.note("picture", "unreadable", shown);
    }
  }
  return ids;
}

async function readMedia(
  { fetchPicture }: Pick<ImportDeps, "fetchPicture">,
  { url = "" }: SourceMedia,
  file: string | null,
): Promise<Uint8Array | undefined> {
  return file === null ? fetchPicture(url) : readFile(file);
}
