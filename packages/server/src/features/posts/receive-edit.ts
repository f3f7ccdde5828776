import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { EditTime } from "../edit-times.ts";
import type { PersonId } from "../ids.ts";
import type { ReadText, Texts } from "../texts/index.ts";
import type { PostLocation } from "./post-location.ts";
import type { PostPhotos, ReceivedPhoto } from "./post-photos.ts";
import type { Post } from "./post.ts";
import { findPost } from "./post-queries.ts";
import { updatePostText } from "./post-store.ts";
import { isMarkedNsfw } from "./publish-post.ts";

/** What an author elsewhere says now. */
export type ReceivedEdit = (
  { readonly uri: string } | { readonly guid: string }
) &
  EditTime & {
    readonly by: PersonId;
    readonly text: string;
    /** People named beside the text, as ActivityPub does it. */
    readonly mentioned?: readonly PersonId[];
    /** Tags named beside the text. */
    readonly tags?: readonly string[];
    /** Of a post; as it was where it is absent. */
    readonly nsfw?: boolean;
    /** Of a post or comment; as it was where it is absent. */
    readonly warning?: string | null;
    readonly language?: string | null;
    readonly emojis?: readonly CustomEmoji[];
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
  const { by, text, mentioned } = edit;
  const found = texts.read(text, edit.tags);
  return db.transaction(async (tx) => {
    const post = await findToEdit(db, tx, edit);
    if (post?.personId !== by || post.type !== "post") return "unknown";
    const {
      nsfw = post.nsfw,
      warning = post.warning,
      language = post.language,
      emojis = post.emojis,
      location = post.location,
    } = edit;
    const changed = {
      ...{ text, warning, language, emojis, location },
      nsfw: nsfw || isMarkedNsfw(found),
    };
    if (!(await updatePostText(tx, post.id, changed, edit))) return "older";
    await replaceFound({ texts }, tx, post, text, found, mentioned);
    if (edit.photos) await photos.replace(tx, post, edit.photos);
    return "changed";
  });
}

/** Two edits at once wait for each other: each keeps the text that it takes the place of. */
async function findToEdit(
  { dialect }: Db,
  tx: Tx,
  edit: ReceivedEdit,
): Promise<Post | undefined> {
  const seen = await findPost(tx, edit);
  if (!seen || dialect === "sqlite") return seen;
  await lockKey(tx, dialect, `edit:post:${seen.id}`);
  return findPost(tx, { id: seen.id });
}

/** Changes what a post from here says; the caller tells others of it. */
export async function changePostText(
  { texts, clock }: Pick<ReceiveEditDeps, "texts"> & { readonly clock: Clock },
  tx: Tx,
  post: Post,
  text: string,
): Promise<void> {
  if (text === post.text) return;
  const now = timestamp(clock.now());
  // The time of an edit is later than any before it, also within one millisecond.
  const next = timestamp(later(new Date(post.updatedAt), 1));
  const found = texts.read(text);
  const changed = { ...post, text };
  const editedAt = now > next ? now : next;
  await updatePostText(tx, post.id, changed, { editedAt });
  await replaceFound({ texts }, tx, post, text, found);
}

/** Keeps what the post said before. */
async function replaceFound(
  { texts }: Pick<ReceiveEditDeps, "texts">,
  tx: Tx,
  { id, text: before, updatedAt: writtenAt }: Post,
  text: string,
  found: ReadText,
  mentioned?: readonly PersonId[],
): Promise<void> {
  const place = { postId: id, commentId: null };
  if (before !== text)
    await texts.keepVersion(tx, place, { text: before, writtenAt });
  await texts.replace(tx, place, found, mentioned);
}
