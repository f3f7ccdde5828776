import type { Db, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { isSuspended, listBlockersAmong } from "../visibility/index.ts";
import type { Facts } from "../facts.ts";
import type { PersonId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { freeClaimedGuid, isGuidKeptFrom } from "../taken-guid-store.ts";
import { addLateUri } from "../late-uri.ts";
import type { Retractions } from "../retractions/index.ts";
import type { SpamRules } from "../spam-rules/index.ts";
import type { Texts } from "../texts/index.ts";
import {
  addHeldRecipients,
  holdPost,
  narrowToAuthor,
  type HoldDeps,
} from "./held/hold-post.ts";
import type { ConversationReaders } from "./conversation-readers.ts";
import type { PostPhotos, ReceivedPhoto } from "./post-photos.ts";
import type { PostLinks } from "./post-links.ts";
import type { Post } from "./post.ts";
import { findAuthorTraits } from "./queries/author-traits.ts";
import { findPost, isOfUnlisted } from "./queries/post-queries.ts";
import { findReshare } from "./queries/reshare-queries.ts";
import {
  insertPost,
  lockNewPost,
  updatePostUri,
  toStored,
  addPostUri,
  updateOtherGuid,
  type NewPost,
} from "./post-store.ts";
import { insertRecipients, listRecipientIds } from "./recipient-store.ts";
import { isMarkedNsfw, type Attach } from "./publish-post.ts";

export type ReceivePostDeps = HoldDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly retractions: Retractions;
  readonly texts: Texts;
  readonly photos: PostPhotos;
  readonly links: PostLinks;
  readonly readers: ConversationReaders;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly spamRules: Pick<SpamRules, "held" | "judge">;
};

/** A remote post whose author has been authenticated. */
export type ReceivedPost = Omit<NewPost, "aspects" | "limitedTo"> & {
  /** Other servers know the post by this Guid, even if it is stored here under another one. */
  readonly keepGuid?: boolean;
  /** The Guid was generated just now, so it cannot be taken. */
  readonly isGuidNew?: boolean;
  /** The local recipients of a limited post. */
  readonly recipients: readonly PersonId[];
  /** People mentioned outside the text, as in ActivityPub. */
  readonly mentioned?: readonly PersonId[];
  /** Tags named outside the text. */
  readonly tags?: readonly string[];
  readonly attach?: Attach;
  readonly photos?: readonly ReceivedPhoto[];
};

/**
 * `known`: it was already stored; new recipients have been added. `refused`: its author
 * retracted it, its Guid is taken, it reshares a post that its author has already reshared,
 * or a rule of this server refuses it.
 */
export type Received<T> =
  | { readonly kind: "stored"; readonly value: T }
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "refused"; readonly reason: string };

export const REFUSED_BY_RULE = "A rule of this server refuses it";
const GUID_OF_ANOTHER_KIND = "The Guid is that of something else";

/** Stores a remote post idempotently, over whichever protocol and however often it arrives. */
export async function receiveRemotePost(
  deps: ReceivePostDeps,
  received: ReceivedPost,
  outer?: Tx,
): Promise<Received<Post>> {
  const { db, clock, facts, retractions, texts, photos: postPhotos } = deps;
  const {
    recipients: given,
    mentioned,
    tags,
    attach,
    photos = [],
    keepGuid: _,
    isGuidNew = false,
    ...post
  } = received;
  const found = texts.read(post.text, tags);
  const nsfw = post.nsfw === true || isMarkedNsfw(found);
  return inTransaction(db, outer, async (tx) => {
    const guid = isGuidNew ? null : post.guid;
    await lockNewPost(tx, db.dialect, { ...post, guid });
    const blockers = await listBlockersAmong(tx, post.personId, [
      ...given,
      ...(post.rootPersonId === null ? [] : [post.rootPersonId]),
    ]);
    const known = await findSame(tx, { ...post, guid });
    const recipients = given.filter((id) => !blockers.has(id));
    if (known)
      return mergeDuplicate(deps, tx, known, { ...received, recipients });
    if (guid !== null && (await isGuidKeptFrom(tx, "Post", post)))
      return { kind: "refused", reason: GUID_OF_ANOTHER_KIND };
    if (await retractions.isRetracted(tx, { kind: "Post", ...post, guid }))
      return { kind: "refused", reason: "It was retracted" };
    const { rootGuid, rootPersonId, personId } = post;
    if (rootPersonId !== null && blockers.has(rootPersonId))
      return { kind: "refused", reason: "Blocked by the author of the root" };
    if (rootPersonId !== null && (await isSuspended(tx, rootPersonId)))
      return { kind: "refused", reason: "The root's server is blocked here" };
    if (rootGuid !== null && (await findReshare(tx, rootGuid, personId)))
      return { kind: "refused", reason: "Reshared before" };
    const written = { ...post, kind: "post", found, mentioned } as const;
    const readers = () => Promise.resolve(recipients);
    const about = { ...written, isPublic: post.public, readers };
    // A reshare has no text.
    const mayWait = (post.eventId ?? null) === null;
    const verdict =
      post.type === "post" && (await deps.spamRules.judge(tx, about, mayWait));
    if (verdict && verdict.kind === "refused")
      return { kind: "refused", reason: REFUSED_BY_RULE };
    const isHeld = verdict && verdict.kind === "held";
    const listed = post.listed && !(await isOfUnlisted(tx, rootGuid));
    const asked = { ...post, listed, nsfw };
    const stored = isHeld ? narrowToAuthor(asked) : asked;
    const { id, isAwaited } = await insertPost(tx, stored, clock.now(), false);
    if (isAwaited) await facts.noteArrival(tx, [guid, post.uri]);
    const shownTo = isHeld ? [] : recipients;
    if (!stored.public) await insertRecipients(tx, id, shownTo);
    if (stored.participants != null)
      await deps.readers.add(tx, { ...post, id }, shownTo);
    const place = { postId: id, commentId: null };
    const mentions = await texts.keep(tx, place, found, mentioned);
    await postPhotos.receive(tx, { ...post, guid, id }, photos);
    await deps.links.add(tx, { ...stored, id }, found.link);
    await attach?.(tx, id);
    const author = await findAuthorTraits(tx, personId);
    const isWithin = mentions.areAnyLocal || shownTo.length > 0;
    const isOpen = stored.public && stored.listed && author.isIndexable;
    // Most posts are such as nobody here may search.
    if (post.type === "post" && (isWithin || isOpen))
      await deps.indexing.renewPost(tx, id, { isNew: true });
    if (isHeld) {
      const { rule } = verdict;
      const since = timestamp(clock.now());
      const held = { post: asked, postId: id, recipients, rule, since };
      await holdPost(deps, tx, held);
      return { kind: "stored", value: toStored(stored, id) };
    }
    // Most posts affect no local account in particular, and a job that finds that out costs
    // more than the post.
    const fact = { type: "post.received", postId: id, by: personId } as const;
    if (
      // It may quote a post of somebody here.
      attach !== undefined ||
      stored.participants != null ||
      (rootPersonId !== null && (await texts.isAnyLocal(tx, [rootPersonId]))) ||
      (post.eventId ?? null) !== null ||
      mentions.areAnyLocal ||
      author.isNotifying
    )
      await facts.record(tx, fact);
    else await facts.note(tx, fact);
    return { kind: "stored", value: toStored(stored, id) };
  });
}

/** Finds the post stored under this Guid or this URI. The caller holds the locks on both. */
async function findSame(
  tx: Tx,
  {
    guid,
    uri,
    personId,
  }: Pick<Post, "personId" | "uri"> & { readonly guid: string | null },
): Promise<Post | undefined> {
  const named = guid === null ? undefined : await findPost(tx, { guid });
  const isKept =
    guid === null ||
    named?.personId === personId ||
    !(named && (await freeClaimedGuid(tx, { guid, personId })));
  return (
    (isKept ? named : undefined) ??
    (uri === null ? undefined : await findPost(tx, { uri }))
  );
}

/** Adds new recipients to the stored post. */
async function mergeDuplicate(
  deps: ReceivePostDeps,
  tx: Tx,
  known: Post,
  { keepGuid = false, recipients, mentioned, ...post }: ReceivedPost,
): Promise<Received<Post>> {
  if (known.personId !== post.personId)
    return { kind: "refused", reason: "The Guid is another author's" };
  // Neither a post nor a different list may add readers to a conversation.
  if (known.participants?.join() !== post.participants?.join())
    return { kind: "refused", reason: GUID_OF_ANOTHER_KIND };
  const isOtherGuid = keepGuid && known.guid !== post.guid;
  if (isOtherGuid && !(await isGuidKeptFrom(tx, "Post", post))) {
    await updateOtherGuid(tx, known.id, post.guid);
    await deps.facts.noteArrival(tx, [post.guid]);
  }
  await addLateUri(deps.facts, tx, known, post.uri, URIS);
  if (
    !known.public &&
    (await addHeldRecipients(deps, tx, known.id, recipients))
  )
    return { kind: "known", value: known };
  if (known.participants !== null)
    await joinConversation(deps, tx, known, recipients, mentioned);
  else if (!known.public) await addRecipients(deps, tx, known, recipients);
  if (recipients.length > 0) await deps.indexing.renewPost(tx, known.id);
  return { kind: "known", value: known };
}

/** The same post, delivered to others, is new for them. */
async function addRecipients(
  { facts }: ReceivePostDeps,
  tx: Tx,
  { id: postId, personId: by }: Post,
  recipients: readonly PersonId[],
): Promise<void> {
  const present = new Set(await listRecipientIds(tx, postId));
  const to = recipients.filter((id) => !present.has(id));
  if (to.length === 0) return;
  await insertRecipients(tx, postId, to);
  const fact = { type: "post.received", postId, by, to } as const;
  if ((await findAuthorTraits(tx, by)).isNotifying)
    await facts.record(tx, fact);
  else await facts.note(tx, fact);
}

/**
 * Gives a post the ActivityPub id under which its author's server names it now: it came without
 * one, or under that of an earlier server of an author who has moved.
 * @returns false where the author has no such post, or it has that id
 */
export async function renamePost(
  { db, facts }: Pick<ReceivePostDeps, "db" | "facts">,
  { guid, personId }: Pick<Post, "guid" | "personId">,
  uri: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockNames(tx, db.dialect, [guid, uri]);
    const post = await findPost(tx, { guid });
    if (post?.personId !== personId || post.uri === uri) return false;
    if (await findPost(tx, { uri })) return false;
    await updatePostUri(tx, post.id, uri);
    await facts.noteArrival(tx, [uri]);
    return true;
  });
}

const URIS = {
  find: findPost,
  add: (tx: Tx, { id }: Post, uri: string) => addPostUri(tx, id, uri),
};

/**
 * Adds participants to a conversation; mentioned participants are notified, as the first
 * one was.
 */
async function joinConversation(
  { facts, texts, readers }: ReceivePostDeps,
  tx: Tx,
  { id: postId, guid, personId: by }: Post,
  recipients: readonly PersonId[],
  mentioned: readonly PersonId[] = [],
): Promise<void> {
  const present = new Set(await listRecipientIds(tx, postId));
  const added = new Set(recipients.filter((id) => !present.has(id)));
  await insertRecipients(tx, postId, [...added]);
  await readers.add(tx, { id: postId, personId: by }, [...added]);
  await facts.noteArrival(tx, [guid]);
  const notified = mentioned.filter((id) => added.has(id));
  if (notified.length === 0) return;
  const nothing = { tags: [], handles: [] };
  await texts.keep(tx, { postId, commentId: null }, nothing, notified);
  await facts.record(tx, { type: "post.received", postId, by });
}
