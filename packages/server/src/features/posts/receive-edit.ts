import type { Db } from "../../db/db.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { PersonId } from "../ids.ts";
import type { Texts } from "../texts/index.ts";
import type { PostLocation } from "./post-location.ts";
import type { PostPhotos, ReceivedPhoto } from "./post-photos.ts";
import { findPost } from "./post-queries.ts";
import { updatePostText } from "./post-store.ts";
import { isMarkedNsfw } from "./publish-post.ts";

/** What an author elsewhere says now. */
export type ReceivedEdit = (
  { readonly uri: string } | { readonly guid: string }
) & {
  readonly by: PersonId;
  readonly text: string;
  readonly editedAt: Timestamp;
  /** People named beside the text, as ActivityPub does it. */
  readonly mentioned?: readonly PersonId[];
  /** Of a post; as it was where it is absent. */
  readonly nsfw?: boolean;
  readonly location?: PostLocation | null;
  /** All that hang on it now; as it was where it is absent. */
  readonly photos?: readonly ReceivedPhoto[];
};

/** `older`: what is here is as new or newer. `unknown`: there is no such thing of this author. */
export type EditOutcome = "changed" | "older" | "unknown";

type ReceiveEditDeps = {
  readonly db: Db;
  readonly texts: Texts;
  readonly photos: Pick<PostPhotos, "replace">;
};

/**
 * Takes over the new text of a post from elsewhere, with its tags, mentions and pictures.
 * Who reads it and what it asks stays as it was, and what is older than what is
 * here changes nothing.
 */
export async function receivePostEdit(
  { db, texts, photos }: ReceiveEditDeps,
  edit: ReceivedEdit,
): Promise<EditOutcome> {
  const { by, text, editedAt, mentioned } = edit;
  const found = texts.read(text);
  return db.transaction(async (tx) => {
    const post = await findPost(tx, edit);
    if (post?.personId !== by || post.type !== "StatusMessage")
      return "unknown";
    const { nsfw = post.nsfw, location = post.location } = edit;
    const isWarned = nsfw || isMarkedNsfw(found);
    const changed = { text, nsfw: isWarned, location };
    if (!(await updatePostText(tx, post.id, changed, editedAt))) return "older";
    const place = { postId: post.id, commentId: null };
    const before = { text: post.text, writtenAt: post.updatedAt };
    if (post.text !== text) await texts.keepVersion(tx, place, before);
    await texts.replace(tx, place, found, mentioned);
    if (edit.photos) await photos.replace(tx, post, edit.photos);
    return "changed";
  });
}
