import type { Tx } from "../../db/db.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import type { PersonId, PhotoId } from "../ids.ts";
import type { ImportPostDeps } from "./import-post.ts";
import type { ReceivedPhoto } from "./post-photos.ts";
import {
  insertPost,
  lockNewPost,
  toStored,
  type NewPost,
} from "./post-store.ts";
import { insertRecipients } from "./recipient-store.ts";
import type { Post } from "./post.ts";
import { isMarkedNsfw } from "./publish-post.ts";
import { findPost } from "./queries/post-queries.ts";
import { findReshare } from "./queries/reshare-queries.ts";

/** A post or reshare of a server that moves here as a whole, by anybody. */
export type PostToTakeOver = Pick<
  NewPost,
  | "aspects"
  | "createdAt"
  | "guid"
  | "limitedTo"
  | "personId"
  | "providerName"
  | "public"
  | "rootGuid"
  | "rootPersonId"
  | "text"
  | "type"
  | "updatedAt"
> & {
  /** Is its author a person of this server? */
  readonly isLocal: boolean;
  /** The people who see a limited post beside its author: nobody else. */
  readonly recipients: readonly PersonId[];
  /** Pending pictures of a local author. */
  readonly photoIds: readonly PhotoId[];
  /** Pictures on another server. */
  readonly photos: readonly ReceivedPhoto[];
};

/**
 * Stores a post under its own Guid and date, once. Records no fact: nobody is notified, and no
 * other server gets it.
 * @returns `known` if it is here, also if it was retracted since
 * @throws {KithError} as `checkText` and the check of its pictures
 */
export async function takeOverPost(
  deps: ImportPostDeps,
  given: PostToTakeOver,
): Promise<
  { readonly kind: "added"; readonly post: Post } | { readonly kind: "known" }
> {
  const { recipients, photoIds, photos, isLocal, ...post } = given;
  const found = deps.texts.read(post.text);
  return deps.db.transaction(async (tx) => {
    const { guid, personId, rootGuid } = post;
    await lockNewPost(tx, deps.db.dialect, { ...post, uri: null });
    if (await isHere(deps, tx, { guid, personId, rootGuid }))
      return { kind: "known" };
    const now = deps.clock.now();
    const stored: NewPost = {
      ...{ ...post, uri: null, url: null },
      listed: true,
      nsfw: isMarkedNsfw(found),
      createdAt: receivedTimestamp(post.createdAt, now),
      updatedAt: receivedTimestamp(post.updatedAt ?? post.createdAt, now),
    };
    await deps.photos.check(tx, stored, photoIds);
    const { id } = await insertPost(tx, stored, now, isLocal);
    if (!post.public) await insertRecipients(tx, id, recipients);
    await deps.texts.keep(tx, { postId: id, commentId: null }, found);
    await deps.photos.attach(tx, id, photoIds);
    await deps.photos.receive(tx, { ...stored, id }, photos);
    if (post.type === "post") await deps.indexing.renewPost(tx, id);
    const root = rootGuid && (await findPost(tx, { guid: rootGuid }));
    if (root) await deps.indexing.renewPost(tx, root.id);
    await deps.keepFromHomes(tx, id);
    return { kind: "added", post: toStored(stored, id) };
  });
}

async function isHere(
  { retractions }: Pick<ImportPostDeps, "retractions">,
  tx: Tx,
  { guid, personId, rootGuid }: Pick<Post, "guid" | "personId" | "rootGuid">,
): Promise<boolean> {
  if (await findPost(tx, { guid })) return true;
  if (rootGuid !== null && (await findReshare(tx, rootGuid, personId)))
    return true;
  const thing = { kind: "Post", guid, uri: null, personId } as const;
  return retractions.isRetracted(tx, thing);
}
