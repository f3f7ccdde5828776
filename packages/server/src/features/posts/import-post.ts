import type { Db, Tx } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import { receivedTimestamp, type Clock } from "../../lib/time/clock.ts";
import type { PhotoId, PostId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { refuseMoved } from "../moved.ts";
import type { Retractions } from "../retractions/index.ts";
import {
  findUsualChoices,
  type EarlierText,
  type Texts,
} from "../texts/index.ts";
import type { PostLocation } from "./post-location.ts";
import type { PostPhotos } from "./post-photos.ts";
import { insertPost } from "./post-store.ts";
import { checkText, isMarkedNsfw, type Author } from "./publish-post.ts";
import { findPost } from "./queries/post-queries.ts";

export type ImportPostDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly retractions: Pick<Retractions, "isRetracted">;
  readonly texts: Texts;
  readonly photos: PostPhotos;
  readonly indexing: Pick<Indexing, "renewPost">;
  /** Keeps the post out of homes, which list posts as they arrive. */
  readonly keepFromHomes: (tx: Tx, id: PostId) => Promise<void>;
};

/** A post that its author wrote elsewhere, some time ago. */
export type ImportPost = {
  readonly author: Author;
  /** Derived from the post in its archive, so that it is imported once. */
  readonly guid: string;
  readonly text: string;
  readonly audience: "everyone" | "unlisted" | "self";
  /** As returned by `readWarning`. */
  readonly warning: string | null;
  readonly nsfw: boolean;
  /** As returned by `readLanguageTag`. */
  readonly language: string | null;
  readonly location: PostLocation | null;
  /** Tags named outside the text. */
  readonly tags: readonly string[];
  /** The author's pending pictures to attach, in this order. */
  readonly photoIds: readonly PhotoId[];
  /** RFC 3339; never in the future. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Its versions before it was edited, oldest first. */
  readonly earlier?: readonly EarlierText[];
};

/**
 * Stores an old post under its own date, once. Records no fact: nobody is notified, no other
 * server gets it, and no page that it links is read.
 * @returns false if it was imported before, even if its author has deleted it since
 * @throws {KithError} `empty_string`, `bad_request`, `not_found` for a picture that is not
 *   the author's
 */
export async function importPost(
  deps: ImportPostDeps,
  post: ImportPost,
): Promise<boolean> {
  const { author, guid, photoIds } = post;
  const isBlank = photoIds.length > 0 && post.text.trim() === "";
  const text = isBlank ? "" : checkText(post.text, "post");
  const found = deps.texts.read(text, post.tags);
  return deps.db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    await lockNames(tx, deps.db.dialect, [guid]);
    if (await findPost(tx, { guid })) return false;
    const { personId } = author;
    const thing = { kind: "Post", guid, uri: null, personId } as const;
    if (await deps.retractions.isRetracted(tx, thing)) return false;
    const now = deps.clock.now();
    const { quotableBy } = await findUsualChoices(tx, author.userId);
    const stored = {
      ...({ guid, personId: author.personId, type: "post", text } as const),
      ...{ providerName: "", uri: null, url: null, quotableBy },
      ...{ rootGuid: null, rootPersonId: null },
      public: post.audience !== "self",
      listed: post.audience !== "unlisted",
      limitedTo: post.audience === "self" ? ("self" as const) : null,
      nsfw: post.nsfw || isMarkedNsfw(found),
      warning: post.warning,
      language: post.language,
      location: post.location,
      createdAt: receivedTimestamp(post.createdAt, now),
      updatedAt: receivedTimestamp(post.updatedAt, now),
    };
    await deps.photos.check(tx, stored, photoIds);
    const { id } = await insertPost(tx, stored, now, true);
    const place = { postId: id, commentId: null };
    await deps.texts.keep(tx, place, found);
    await deps.texts.importVersions(tx, place, post.earlier ?? [], now);
    await deps.photos.attach(tx, id, photoIds);
    await deps.indexing.renewPost(tx, id);
    await deps.keepFromHomes(tx, id);
    return true;
  });
}
