import type { Db } from "../../db/db.ts";
import type { MediaStore } from "../../lib/media/media-store.ts";
import type { SignedIn } from "../accounts/index.ts";
import { toFiles, type Exporter } from "./export-file.ts";
import { listExportedPhotos } from "./photos-queries.ts";

type PhotosExporterDeps = { readonly db: Db; readonly media: MediaStore };

/** As few, so that it matters little what is deleted while they are sent. */
const PHOTOS_AT_ONCE = 50;

/** What is known of the pictures, and then the pictures themselves. */
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

/** A picture whose file is not there does not end the export, but is named at its end. */
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
          // Given up before it was read, it would stay open.
          found.stream.destroy();
        }
    }
    afterKey = last.key;
  }
  if (missing.length > 0)
    yield { path: "media/missing.txt", content: `${missing.join("\n")}\n` };
}
