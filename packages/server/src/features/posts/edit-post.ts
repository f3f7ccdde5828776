import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { nextEditTime } from "../edit-times.ts";
import type { Audience } from "../audiences/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AspectId, PhotoId, PostId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Newcomers } from "../newcomers/index.ts";
import { refuseMoved } from "../moved.ts";
import { keepRefusal, type SpamRules } from "../spam-rules/index.ts";
import type { DescribedPhoto, ReadText, Texts } from "../texts/index.ts";
import type { PostLinks } from "./post-links.ts";
import type { PostPhotos } from "./post-photos.ts";
import type { Post, PostKey } from "./post.ts";
import { findPost } from "./queries/post-queries.ts";
import {
  updateEditTime,
  updatePostText,
  type ChangedPost,
} from "./post-store.ts";
import { listRecipientIds } from "./recipient-store.ts";
import { checkText, isMarkedNsfw, type Author } from "./publish-post.ts";

type EditDeps = {
  readonly db: Db;
  readonly texts: Texts;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly photos: Pick<PostPhotos, "describe" | "arrange">;
  readonly links: Pick<PostLinks, "replaceOwn">;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly newcomers: Pick<Newcomers, "admitEdit">;
  readonly spamRules: Pick<SpamRules, "admit">;
};

/**
 * Changes what belongs to a post, such as its poll, in the transaction of the edit: one edit is
 * one version, whatever it changes.
 */
export type Amend = (tx: Tx, post: Post) => Promise<Amended>;

export type Amended = {
  /** Do readers see a difference, beside that of its pictures? */
  readonly isChanged: boolean;
  /** The pictures that were described anew. */
  readonly photoIds?: readonly PhotoId[];
};

/** Makes all of these changes in order. */
export const amendAll =
  (...all: readonly (Amend | undefined)[]): Amend =>
  async (tx, post) => {
    let isChanged = false;
    const photoIds: PhotoId[] = [];
    for (const amend of all) {
      const amended = await amend?.(tx, post);
      isChanged ||= amended?.isChanged === true;
      photoIds.push(...(amended?.photoIds ?? []));
    }
    return { isChanged, photoIds };
  };

/** The fields to change; absent ones stay as they are. */
export type EditPost = {
  readonly text?: string | undefined;
  /** As when it was published. */
  readonly isTextOptional?: boolean;
  readonly nsfw?: boolean | undefined;
  readonly warning?: string | null | undefined;
  readonly language?: string | null | undefined;
  /** Quotes that were allowed before stay. */
  readonly quotableBy?: Post["quotableBy"] | undefined;
  /** All its pictures, in their new order. */
  readonly photoIds?: readonly PhotoId[] | undefined;
  readonly amend?: Amend | undefined;
  /** The audience cannot change: only the present one is accepted. No aspect is everyone. */
  readonly audience?: Audience["kind"] | undefined;
  readonly aspectIds?: readonly AspectId[] | undefined;
};

/**
 * Edits a user's own post. The audience, the place, the event and the quote stay as they
 * were.
 * @throws {KithError} `not_found`, also for another person's post; `empty_string`,
 *   `bad_request`
 */
export async function editPost(
  deps: EditDeps,
  author: Author,
  key: PostKey,
  edit: EditPost,
): Promise<Post> {
  const { db, texts } = deps;
  const isBlank = edit.isTextOptional && edit.text?.trim() === "";
  const given =
    edit.text === undefined || isBlank
      ? edit.text && ""
      : checkText(edit.text, "post");
  const read = given === undefined ? undefined : texts.read(given);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    const post = await getOwn(deps, tx, author, key, edit);
    const found = read ?? texts.read(post.text);
    if (read)
      await deps.newcomers.admitEdit(
        ...([tx, author, read.link, texts.read(post.text).link] as const),
      );
    if (given !== undefined && read && given !== post.text)
      await deps.spamRules.admit(tx, {
        ...{ ...post, kind: "post", text: given, found: read },
        ...{
          isPublic: post.public,
          readers: () => listRecipientIds(tx, post.id),
        },
      });
    const { warning = post.warning, language = post.language } = edit;
    const { quotableBy = post.quotableBy } = edit;
    const changed = {
      ...post,
      text: given ?? post.text,
      ...{ warning, language, quotableBy },
      nsfw: (edit.nsfw ?? post.nsfw) || isMarkedNsfw(found),
    };
    const { photoIds, amend } = edit;
    await change(deps, tx, post, { changed, found, photoIds, amend });
    if (isBlank && (await deps.photos.describe(tx, post.id)).length === 0)
      throw new KithError("empty_string", "The text must not be blank.");
    const stored = await findPost(tx, { id: post.id });
    if (!stored) throw new KithError("not_found", "Deleted meanwhile.");
    return stored;
  });
  return keepRefusal(db, notFoundIfGone(writing));
}

async function getOwn(
  { db }: EditDeps,
  tx: Tx,
  { personId }: Author,
  key: PostKey,
  edit: EditPost,
): Promise<Post> {
  const post = await findPostToEdit(db, tx, key);
  if (post?.personId !== personId)
    throw new KithError("not_found", "No such post.");
  if (post.type !== "post")
    throw new KithError("bad_request", "A reshare cannot be edited.");
  // diaspora* has no edits of messages.
  if (post.participants !== null)
    throw new KithError("bad_request", "A conversation cannot be edited.");
  const changed = findChangedAudience(post, edit);
  if (changed !== undefined)
    throw new KithError(
      "bad_request",
      `The parameter ${changed} must name the present audience of the post.`,
    );
  return post;
}

/** @returns the parameter that names another audience, if one does */
function findChangedAudience(
  { public: isPublic, listed, limitedTo, aspects }: Post,
  { audience, aspectIds }: EditPost,
): "audience" | "aspectID" | undefined {
  const present = limitedTo ?? (listed ? "everyone" : "unlisted");
  if (audience !== undefined && audience !== present) return "audience";
  if (aspectIds === undefined) return undefined;
  const ids = new Set(aspects.map(({ id }) => id));
  const isSame =
    aspectIds.length === 0
      ? isPublic
      : ids.symmetricDifference(new Set(aspectIds)).size === 0;
  return isSame ? undefined : "aspectID";
}

type Change = {
  readonly changed: ChangedPost;
  readonly found: ReadText;
  readonly photoIds: readonly PhotoId[] | undefined;
  readonly amend: Amend | undefined;
};

/** An edit that changes nothing leaves no version and notifies no one. */
async function change(
  deps: EditDeps,
  tx: Tx,
  post: Post,
  { changed, found, photoIds, amend }: Change,
): Promise<void> {
  const { photos, facts } = deps;
  const before = await photos.describe(tx, post.id);
  const attached = photoIds ? await photos.arrange(tx, post, photoIds) : [];
  const amended = (await amend?.(tx, post)) ?? { isChanged: false };
  const after = photoIds || amend ? await photos.describe(tx, post.id) : before;
  const pictures = { before, after, isOtherSeen: amended.isChanged };
  const isSame = FIELDS.every((name) => changed[name] === post[name]);
  if (isSame && areSame(pictures)) return;
  await replaceOwn(deps, tx, post, changed, found, pictures);
  const shown = [...new Set([...attached, ...(amended.photoIds ?? [])])];
  await facts.record(tx, {
    type: "post.changed",
    postId: post.id,
    by: post.personId,
    ...(shown.length > 0 && { photoIds: shown }),
  });
}

const FIELDS = ["text", "nsfw", "warning", "language", "quotableBy"] as const;

async function replaceOwn(
  {
    clock,
    texts,
    indexing,
    links,
  }: Pick<EditDeps, "clock" | "indexing" | "links" | "texts">,
  tx: Tx,
  post: Post,
  changed: ChangedPost,
  found: ReadText,
  pictures: Pictures,
): Promise<void> {
  const editedAt = nextEditTime(post.updatedAt, clock.now());
  await updatePostText(tx, post.id, changed, { editedAt });
  await keepReplaced(texts, tx, post, changed, pictures);
  await texts.replaceOwn(tx, { postId: post.id, commentId: null }, found);
  await indexing.renewPost(tx, post.id);
  await links.replaceOwn(tx, post, found.link);
}

/** Rewrites the text of a local post on behalf of its author; the caller announces it. */
export async function changePostText(
  deps: Pick<EditDeps, "clock" | "indexing" | "links" | "photos" | "texts">,
  tx: Tx,
  post: Post,
  text: string,
): Promise<void> {
  if (text === post.text) return;
  const before = await deps.photos.describe(tx, post.id);
  const pictures = { before, after: before };
  const found = deps.texts.read(text);
  await replaceOwn(deps, tx, post, { ...post, text }, found, pictures);
}

/** A change of a picture, as part of an edit. */
export type PictureChange = {
  /** A picture of a message can only be deleted. */
  readonly isDeletion?: boolean;
  readonly change: () => Promise<unknown>;
};

/** Changes a picture of a local post, as an edit of the post. */
export async function changePictureOf(
  { db, clock, photos, texts, indexing }: EditDeps,
  tx: Tx,
  postId: PostId,
  { isDeletion = false, change: changePicture }: PictureChange,
): Promise<void> {
  const post = await findPostToEdit(db, tx, { id: postId });
  if (!post) throw new KithError("not_found", "Deleted meanwhile.");
  if (post.participants !== null && !isDeletion)
    throw new KithError("bad_request", "A conversation cannot be edited.");
  const before = await photos.describe(tx, postId);
  await changePicture();
  const after = await photos.describe(tx, postId);
  await keepReplaced(texts, tx, post, post, { before, after });
  const editedAt = nextEditTime(post.updatedAt, clock.now());
  await updateEditTime(tx, postId, editedAt);
  await indexing.renewPost(tx, postId);
}

/** Finds a post to edit. Concurrent edits wait: each keeps the version that it replaces. */
export async function findPostToEdit(
  { dialect }: Db,
  tx: Tx,
  key: PostKey,
): Promise<Post | undefined> {
  const seen = await findPost(tx, key);
  if (!seen || dialect === "sqlite") return seen;
  await lockKey(tx, dialect, `edit:post:${seen.id}`);
  return findPost(tx, { id: seen.id });
}

/** The pictures of a post before and after an edit. */
type Pictures = {
  readonly before: readonly DescribedPhoto[];
  readonly after: readonly DescribedPhoto[];
  /** Was something else changed that readers see, such as the poll? */
  readonly isOtherSeen?: boolean;
};

/** Keeps the version of a post that an edit replaced, unless readers see no difference. */
export async function keepReplaced(
  texts: Pick<Texts, "keepVersion">,
  tx: Tx,
  { id, text, warning, updatedAt: writtenAt }: Post,
  changed: Pick<ChangedPost, "text" | "warning">,
  pictures: Pictures,
): Promise<void> {
  const isSame = changed.text === text && changed.warning === warning;
  if (isSame && areSame(pictures)) return;
  const place = { postId: id, commentId: null };
  const { before: photos } = pictures;
  await texts.keepVersion(tx, place, { text, warning, photos, writtenAt });
}

function areSame({ before, after, isOtherSeen }: Pictures): boolean {
  return !isOtherSeen && JSON.stringify(before) === JSON.stringify(after);
}
