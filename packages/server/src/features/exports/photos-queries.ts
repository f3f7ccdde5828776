import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import { largestFile, type PhotoFile } from "../photos/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** A photo, and its file in the store. */
export type StoredPhoto = Keyed & { readonly file: PhotoFile };

/** The user's uploads, with or without a post, and the profile picture. */
export async function listExportedPhotos(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<StoredPhoto[]> {
  const rows = await reader
    .selectFrom("photos")
    .leftJoin("posts", "posts.id", "photos.post_id")
    .leftJoin("comments", "comments.id", "photos.comment_id")
    .selectAll("photos")
    .select(["posts.guid as post_guid", "comments.guid as comment_guid"])
    .where("photos.person_id", "=", personId)
    .where("photos.storage_key", "is not", null)
    .$call(pageAfter("photos.id", afterId, limit))
    .execute();
  return rows.map((row) => {
    const { guid, media_type: mediaType } = row;
    const sizes = loadJson(row.sizes);
    const file = largestFile({ guid, mediaType, sizes });
    return {
      key: row.id,
      file,
      record: {
        guid,
        file: `media/${file.name}`,
        text: row.text,
        postGuid: row.post_guid,
        commentGuid: row.comment_guid,
        isProfilePicture: Boolean(row.is_profile) && !row.is_header,
        isHeader: Boolean(row.is_header),
        width: row.width,
        height: row.height,
        focus: row.focus === null ? null : loadJson(row.focus),
        mediaType,
        playback: row.playback === null ? null : loadJson(row.playback),
        createdAt: row.created_at,
      },
    };
  });
}
