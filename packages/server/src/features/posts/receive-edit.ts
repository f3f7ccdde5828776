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

/** A remote author's edit. */
export type ReceivedEdit = (
  { readonly uri: string } | { readonly guid: string }
) &
  EditTime & {
    readonly by: PersonId;
    readonly text: string;
    /** People mentioned outside the text, as in ActivityPub. */
    readonly mentioned?: readonly PersonId[];
    /** Tags named outside the text. */
    readonly tags?: readonly string[];
    /** For a post; unchanged if absent. */
    readonly nsfw?: boolean;
    /** For a post or comment; unchanged if absent. */
    readonly warning?: string | null;
    readonly language?: string | null;
    readonly emojis?: readonly CustomEmoji[];
    readonly location?: PostLocation | null;
    /** All its current pictures; unchanged if absent. */
    readonly photos?: readonly ReceivedPhoto[];
  };

/**
 * `older`: the stored version is as new or newer. `unknown`: this author has no such post
 * or comment.
 */
export type EditOutcome = "changed" | "older" | "unknown";

type ReceiveEditDeps = {
  readonly db: Db;
  readonly texts: Texts;
  readonly photos: Pick<PostPhotos, "replace">;
};

/**
 * Applies a remote author's edit of a post, with its tags, mentions and pictures. Its
 * audience and its poll stay as they were, and an edit older than the stored version
 * changes nothing.
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

/** Concurrent edits wait for each other: each keeps the text that it replaces. */
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

/** Changes the text of a local post; the caller notifies other servers. */
export async function changePostText(
  { texts, clock }: Pick<ReceiveEditDeps, "texts"> & { readonly clock: Clock },
  tx: Tx,
  post: Post,
  text: string,
): Promise<void> {
  if (text === post.text) return;
  const now = timestamp(clock.now());
  // Each edit has a later time than any before it, even within one millisecond.
  const next = timestamp(later(new Date(post.updatedAt), 1));
  const found = texts.read(text);
  const changed = { ...post, text };
  const editedAt = now > next ? now : next;
  await updatePostText(tx, post.id, changed, { editedAt });
  await replaceFound({ texts }, tx, post, text, found);
}

/** Keeps the previous version of the post. */
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
