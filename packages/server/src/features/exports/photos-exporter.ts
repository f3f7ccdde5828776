import type { Db } from "../../db/db.ts";
import type { MediaStore } from "../../lib/media/media-store.ts";
import type { SignedIn } from "../accounts/index.ts";
import { toFiles, type Exporter } from "./export-file.ts";
import { listExportedPhotos } from "./photos-queries.ts";

type PhotosExporterDeps = { readonly db: Db; readonly media: MediaStore };

/** Few, to limit the effect of deletions while the export is streamed. */
const PHOTOS_AT_ONCE = 50;

/** The metadata of the photos, and then the photos themselves. */
export function createPhotosExporter(deps: PhotosExporterDeps): Exporter {
  return {
    tables: ["photos"],
    files: async function* (user) {
      yield* toFiles("photos", (afterKey, limit) =>
        listExportedPhotos(deps.db.read, user, afterKey, limit),
      );
      yield* readMedia(deps, user);
    },
  };
}

/** A missing file does not abort the export, but is listed at its end. */
async function* readMedia(
  { db, media }: PhotosExporterDeps,
  user: SignedIn,
): ReturnType<Exporter["files"]> {
  const missing: string[] = [];
  let afterKey = 0;
  for (;;) {
    const photos = await listExportedPhotos(
      db.read,
      user,
      afterKey,
      PHOTOS_AT_ONCE,
    );
    const last = photos.at(-1);
    if (!last) break;
    for (const { file } of photos) {
      const found = await media.open(file.key);
      if (!found) missing.push(file.name);
      else
        try {
          const { size, stream: chunks } = found;
          yield { path: `media/${file.name}`, content: { size, chunks } };
        } finally {
          // An abandoned stream that was never read would stay open.
          found.stream.destroy();
        }
    }
    afterKey = last.key;
  }
  if (missing.length > 0)
    yield { path: "media/missing.txt", content: `${missing.join("\n")}\n` };
}
