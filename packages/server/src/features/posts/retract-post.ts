import type { Db, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { KithError } from "../../lib/errors.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PersonId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Retractions } from "../retractions/index.ts";
import type { Texts } from "../texts/index.ts";
import type { PhotoCopies, PostPhotos } from "./post-photos.ts";
import type { Post, PostKey } from "./post.ts";
import {
  findPost,
  findVisiblePost,
  listGuidsBelow,
  listThoseBelow,
  listVoteGuids,
} from "./queries/post-queries.ts";
import { listResharerIds } from "./queries/reshare-queries.ts";
import { findAuthorTraits } from "./queries/author-traits.ts";
import { isNoticed } from "./queries/quoter-queries.ts";
import { deletePost } from "./post-store.ts";
import {
  insertHidden,
  listRecipientIds,
  listSubscriberIds,
} from "./recipient-store.ts";
import type { Author } from "./publish-post.ts";

export type RetractDeps = {
  readonly db: Db;
  readonly facts: Facts;
  readonly retractions: Retractions;
  readonly photos: PostPhotos;
  readonly texts: Texts;
  readonly indexing: Pick<Indexing, "renewPost">;
};

const NO_COPIES: PhotoCopies = new Map();

/**
 * Deletes the user's own post for everyone, or hides another person's post from this user.
 * @param keepsPhotos lets the pictures of an own post wait for another one
 * @throws {KithError} `not_found` if the user may not see it
 */
export async function deleteOrHidePost(
  deps: RetractDeps,
  user: Author,
  guid: string,
  keepsPhotos = false,
): Promise<void> {
  const own = keepsPhotos && (await findPost(deps.db.read, { guid }));
  const copies =
    own && own.personId === user.personId
      ? await deps.photos.copy(own.id)
      : NO_COPIES;
  const writing = deps.db.transaction(async (tx) => {
    const post = await findVisiblePost(tx, { guid }, user);
    if (!post) throw new KithError("not_found", "No such post.");
    if (post.personId !== user.personId)
      await insertHidden(tx, user.userId, post.id);
    else if (!(await retract(deps, tx, post, copies)))
      throw new KithError("not_found", "Deleted meanwhile.");
  });
  await notFoundIfGone(writing);
}

/**
 * Hides another person's post from the user.
 * @returns false if it was hidden before
 * @throws {KithError} `not_found` if the user may not see it, or for an own one
 */
export function hidePost(
  { db }: Pick<RetractDeps, "db">,
  user: Author,
  key: PostKey,
): Promise<boolean> {
  const writing = db.transaction(async (tx) => {
    const post = await findVisiblePost(tx, key, user);
    if (!post || post.personId === user.personId)
      throw new KithError("not_found", "No such post of another person.");
    return insertHidden(tx, user.userId, post.id);
  });
  return notFoundIfGone(writing);
}

/**
 * Applies the retraction of a post, for example a remote one.
 * @param by the person who requests it; only the author may
 * @returns false if this author has no such post
 */
export async function receivePostRetraction(
  deps: RetractDeps,
  key: PostKey,
  by: PersonId,
  outer?: Tx,
): Promise<boolean> {
  return inTransaction(deps.db, outer, async (tx) => {
    const post = await findPost(tx, key);
    if (post?.personId !== by) return false;
    return retract(deps, tx, post);
  });
}

/** @returns false if it was retracted concurrently: a retraction is announced once */
async function retract(
  { facts, retractions, photos, texts, indexing }: RetractDeps,
  tx: Tx,
  post: Post,
  copies: PhotoCopies = NO_COPIES,
): Promise<boolean> {
  const others = post.public
    ? [
        ...(await listSubscriberIds(tx, post.id)),
        ...(await listResharerIds(tx, post.guid)),
        ...(await listThoseBelow(tx, post.id)),
      ]
    : await listRecipientIds(tx, post.id);
  const below = await listGuidsBelow(tx, post.id);
  const votes = await listVoteGuids(tx, post.id);
  const place = { postId: post.id, commentId: null };
  // A limited post was delivered only to its recipients, whomever it mentions.
  const mentioned = post.public ? await texts.listEverMentioned(place, tx) : [];
  const people = [...others, ...mentioned];
  const isConcerning =
    below.length + votes.length > 0 ||
    (await concernsSomebodyHere(texts, tx, post, people));
  const tags = await texts.listTags(post.id, tx);
  await photos.release(tx, post.id, copies);
  if (!(await deletePost(tx, post.id))) return false;
  const root =
    post.rootGuid === null
      ? undefined
      : await findPost(tx, { guid: post.rootGuid });
  if (root) await indexing.renewPost(tx, root.id);
  await retractions.record(tx, {
    kind: "Post",
    guid: post.guid,
    personId: post.personId,
    uri: post.uri,
    details: {
      kind: "Post",
      type: post.type,
      public: post.public,
      ...(post.public && !post.listed && { unlisted: true }),
      ...(post.limitedTo === "followers" && { toFollowers: true }),
      recipients: others,
      // They are kept until they are sent the retraction.
      mentioned: isConcerning ? mentioned : [],
      rootPersonId: post.rootPersonId,
      rootGuid: post.rootGuid,
      rootUri: await findRootUri({ retractions }, tx, post),
      hadEvent: post.eventId !== null,
      below,
      votes,
    },
  });
  const fact = {
    type: "post.retracted",
    ...{ guid: post.guid, by: post.personId },
    removed: { postId: post.id, tags },
  } as const;
  await (isConcerning ? facts.record(tx, fact) : facts.note(tx, fact));
  return true;
}

/**
 * Is its author here, or anybody else who may have been notified of it, have quoted it, or be sent
 * its retraction? A job that finds out that there is nobody costs more than the retraction.
 */
async function concernsSomebodyHere(
  texts: RetractDeps["texts"],
  tx: Tx,
  { guid, personId, rootPersonId, eventId, participants }: Post,
  people: readonly PersonId[],
): Promise<boolean> {
  if (eventId !== null || participants !== null) return true;
  const concerned = [personId, ...people];
  if (rootPersonId !== null) concerned.push(rootPersonId);
  return (
    (await texts.isAnyLocal(tx, concerned)) ||
    (await findAuthorTraits(tx, personId)).isNotifying ||
    (await isNoticed(tx, guid))
  );
}

/** The root may have been deleted; its tombstone keeps its URI. */
async function findRootUri(
  { retractions }: Pick<RetractDeps, "retractions">,
  tx: Tx,
  { rootGuid: guid, rootPersonId: personId }: Post,
): Promise<string | null> {
  if (guid === null || personId === null) return null;
  const root = await findPost(tx, { guid });
  if (root?.personId === personId) return root.uri;
  const gone = await retractions.find({ kind: "Post", guid, personId }, tx);
  return gone?.uri ?? null;
}
