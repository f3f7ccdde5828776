import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { fetchPage, type Page } from "../page.ts";
import { loadList, storeList } from "../stored-list.ts";
import type { TextPlace } from "./text-place.ts";

/** A picture of a post, as a version remembers it. */
export type DescribedPhoto = { readonly guid: string; readonly text: string };

/** A version of a post or comment before an edit. */
export type TextVersion = {
  readonly id: number;
  /** Markdown. */
  readonly text: string;
  readonly warning: string | null;
  /** The pictures of a post with their descriptions, in order. */
  readonly photos: readonly DescribedPhoto[];
  /** When this version was written. */
  readonly writtenAt: Timestamp;
};

/** A version of a text that was written elsewhere, without its pictures. */
export type EarlierText = Pick<TextVersion, "text" | "warning"> & {
  /** RFC 3339; never in the future. */
  readonly writtenAt: string;
};

/** Per text; further edits delete the oldest ones. */
export const MAX_VERSIONS = 100;

/** Stores the version that another one replaces. */
export async function insertVersion(
  tx: Tx,
  place: TextPlace,
  { text, warning, photos, writtenAt }: Omit<TextVersion, "id">,
): Promise<void> {
  await tx
    .insertInto("text_versions")
    .values({
      post_id: place.postId,
      comment_id: place.commentId,
      text,
      warning,
      photos: storeList(photos),
      written_at: writtenAt,
    })
    .execute();
  const surplus = await byPlace(tx, place)
    .select("id")
    .orderBy("id", "desc")
    .offset(MAX_VERSIONS)
    .limit(1)
    .executeTakeFirst();
  if (surplus)
    await tx.deleteFrom("text_versions").where("id", "=", surplus.id).execute();
}

/** One page of the previous versions of a post or comment, newest first. */
export async function listVersions(
  reader: Reader,
  place: TextPlace,
  page: Page,
): Promise<TextVersion[]> {
  const versions = byPlace(reader, place).selectAll();
  const rows = await fetchPage(versions, "text_versions.id", page);
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    warning: row.warning,
    photos: loadList(row.photos),
    writtenAt: row.written_at,
  }));
}

function byPlace(reader: Reader, { postId, commentId }: TextPlace) {
  const query = reader.selectFrom("text_versions");
  return commentId === null
    ? query.where("post_id", "=", postId).where("comment_id", "is", null)
    : query.where("comment_id", "=", commentId);
}
