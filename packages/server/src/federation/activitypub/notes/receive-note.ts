import type { JsonObject, Note } from "@kith/activitypub";
import type { ReceivedComment } from "../../../features/comments/index.ts";
import type { Contacts } from "../../../features/contacts/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import type { Strangers } from "../../inbound/strangers.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { addAddressed } from "../conversations/find-addressed.ts";
import {
  isForSamePeople,
  namesParticipant,
} from "../conversations/read-participants.ts";
import { chooseGuid } from "./choose-guid.ts";
import { listMentionedUsers } from "../records/find-local.ts";
import {
  fetchObject,
  notingSilence,
  type FetchOwnDeps,
} from "../authority/fetch-own.ts";
import { readOwnNote } from "../authority/vouched.ts";
import { findKnown, type Known, type ObjectsDeps } from "../records/objects.ts";
import {
  storePostWithAttachment,
  type ReceiveAttachmentDeps,
} from "./receive-attachment.ts";
import { readReplyMedia } from "./read-media.ts";
import { readBesideReply, readNoteText } from "./read-note-text.ts";
import { readPost, readTimes } from "./read-post.ts";
import {
  findAudience,
  isForNobodyHere,
  isRelevant,
  type NoteAudience,
} from "./read-recipients.ts";
import {
  deferUntilParentArrives,
  deferUntilServerAnswers,
} from "./deferred.ts";

export type ReceiveNoteDeps = ObjectsDeps &
  FetchOwnDeps &
  ReceiveAttachmentDeps & {
    readonly people: People;
    readonly contacts: Contacts;
    readonly strangers: Strangers;
    readonly clock: Clock;
    /** `host[:port]` of the local handles. */
    readonly handleHost: string;
    readonly discoverActor: (uri: string) => Promise<Person | undefined>;
    readonly quotes: Quotes;
    readonly retractions: Pick<Retractions, "isGone">;
    readonly jobs: Pick<Jobs, "enqueue">;
    /** It is stored only because a post quotes it. */
    readonly isFetchedForQuote?: boolean;
    /** How often this message was tried, this time included. */
    readonly attempt?: number;
  };

/** How many parents are fetched where a comment arrives before its parent. */
const MAX_FETCHED_PARENTS = 20;

/**
 * Stores a Note or a similar object as a post, or, where it is a reply, as a comment.
 * @param isWanted it was forwarded by a group that is followed here
 */
export async function receiveNote(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  recipient: Person | null,
  isWanted = false,
): Promise<InboundResult> {
  const audience = await findAudience(deps, note, author, recipient, isWanted);
  if (note.inReplyTo !== undefined)
    return receiveComment(deps, note, author, note.inReplyTo, audience);
  if (isForNobodyHere(audience)) return done("for nobody here");
  if (!(await isRelevant(deps, author, audience)))
    return done("nobody here follows the author");
  if (!(await isAdmitted(deps, author, audience))) return done(OVER_QUOTA);
  const post = await storePost(deps, note, author, audience);
  return done(post ? "post" : "post refused");
}

export const OVER_QUOTA = "too much by whom nobody here follows";

async function isAdmitted(
  { strangers }: ReceiveNoteDeps,
  author: Person,
  { isWanted }: NoteAudience,
): Promise<boolean> {
  return isWanted || strangers.admit(author);
}

async function storePost(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  audience: NoteAudience,
): Promise<Post | undefined> {
  const post = await readPost(deps, note, author, audience);
  const received = await storePostWithAttachment(deps, note, post);
  if (received.kind === "refused") return undefined;
  const { value } = received;
  if (value.participants !== null) await addAddressed(deps, value);
  return value;
}

async function receiveComment(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  inReplyTo: string,
  audience: NoteAudience,
): Promise<InboundResult> {
  let isAway = false;
  const silent = () => void (isAway = true);
  const fetchDocument = notingSilence(deps.fetchDocument, silent);
  const asking = { ...deps, fetchDocument };
  const parent =
    (await findKnown(deps, inReplyTo)) ??
    (await fetchParent(asking, author, inReplyTo, audience));
  if (!parent) {
    const missing = { uri: inReplyTo, isAway };
    return receiveOrphan(deps, note, author, missing, audience);
  }
  const post = await findAnswerable(deps, postIdOf(parent), author);
  if (!post) return done("the author may not see what it answers");
  if (!(await isAdmitted(deps, author, audience))) return done(OVER_QUOTA);
  const isAside =
    post.participants === null
      ? post.public && isForFew(note, audience)
      : !(await isForSamePeople(deps, post, note, audience.people));
  return isAside
    ? receiveAside(deps, note, author, audience)
    : storeComment(deps, note, author, parent);
}

/** After the last one, some hours later, what it answers does not come any more. */
const TRIES_FOR_PARENT = 10;

/**
 * A reply to something that is not here: those it names get it all the same, as a post of its own;
 * but not a reply to something deleted, which went with all replies.
 */
async function receiveOrphan(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  { uri, isAway }: { readonly uri: string; readonly isAway: boolean },
  audience: NoteAudience,
): Promise<InboundResult> {
  if (!(await isRelevant(deps, author, audience)))
    return done("an answer to something unknown, by somebody unknown");
  const missing = isAway
    ? deferUntilServerAnswers(deps, uri, "an answer to")
    : deferUntilParentArrives(deps, uri, author, "an answer to");
  const { attempt = 1 } = deps;
  if (missing.kind === "wait" && attempt < TRIES_FOR_PARENT) return missing;
  // Servers with Guids announce their threads, which are read then.
  const isRead = note.guid !== undefined;
  const isGone = deps.uris.isLocal(uri) || (await deps.retractions.isGone(uri));
  return !isRead && !isGone && (await namesSomebodyHere(deps, note))
    ? receiveAlone(deps, note, author, audience)
    : missing;
}

async function namesSomebodyHere(
  deps: ReceiveNoteDeps,
  note: Note,
): Promise<boolean> {
  const addressed = [...note.to, ...note.cc];
  if (addressed.some((uri) => deps.uris.usernameOf(uri) !== undefined))
    return true;
  return (await listMentionedUsers(deps, note)).length > 0;
}

/** Stores a reply as a post of its own, for its own audience. */
async function receiveAlone(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  audience: NoteAudience,
): Promise<InboundResult> {
  if (isForNobodyHere(audience)) return done("for nobody here");
  if (!(await isAdmitted(deps, author, audience))) return done(OVER_QUOTA);
  const post = await storePost(deps, note, author, audience);
  return done(post ? "an answer, as a post" : "post refused");
}

/** Only a viewer of a post may answer it, or a participant of a conversation not known until now. */
async function findAnswerable(
  { posts }: ReceiveNoteDeps,
  id: Post["id"],
  author: Person,
): Promise<Post | undefined> {
  const viewer = { personId: author.id, userId: null };
  const visible = await posts.findVisible({ id }, viewer);
  const post = visible ?? (await posts.find({ id }));
  if (visible || !post || !namesParticipant(post, author)) return visible;
  await posts.addRecipient(id, author.id);
  return posts.findVisible({ id }, viewer);
}

/** Without any address its audience is that of its parent. */
export function isForFew({ to, cc }: Note, audience: NoteAudience): boolean {
  return !audience.public && to.length + cc.length > 0;
}

/** A limited reply to a public post: stored as a comment, it would be public. */
async function receiveAside(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  audience: NoteAudience,
): Promise<InboundResult> {
  if (isForNobodyHere(audience)) return done("for nobody here");
  const post = await storePost(deps, note, author, audience);
  return done(post ? "an answer to few, as a post" : "post refused");
}

/** The id of the post, or of the post that a comment belongs to. */
export function postIdOf(known: Known): Post["id"] {
  return known.kind === "post" ? known.post.id : known.comment.postId;
}

/** Stores a comment whose author is known to be allowed to answer the post. */
export async function storeComment(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  parent: Known,
): Promise<InboundResult> {
  const comment = await readAsComment(deps, note, author, parent);
  if (!comment) return done("an empty comment");
  const received = await deps.comments.receive(comment);
  return done(received.kind === "refused" ? "comment refused" : "comment");
}

/**
 * Reads a reply as a comment, ready to be stored: everything about it has been looked up.
 * @returns undefined for one without a text or a picture
 */
export async function readAsComment(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
  parent: Known,
): Promise<ReceivedComment | undefined> {
  const text = readNoteText(note);
  const photos = readReplyMedia(note);
  if (text === "" && photos.length === 0) return undefined;
  return {
    guid: await chooseGuid(
      { db: deps.db, things: deps.comments },
      "Comment",
      note,
      author,
    ),
    postId: postIdOf(parent),
    personId: author.id,
    ...{ text, photos },
    ...readBesideReply(note, photos),
    parentGuid: parent.kind === "comment" ? parent.comment.guid : null,
    uri: note.id,
    ...readTimes(deps, note),
    mentioned: await listMentionedUsers(deps, note),
  };
}

/** Fetches the parents of a comment, upwards, where a local person is related to its author. */
async function fetchParent(
  deps: ReceiveNoteDeps,
  author: Person,
  uri: string,
  audience: NoteAudience,
): Promise<Known | undefined> {
  if (!(await isRelevant(deps, author, audience))) return undefined;
  const post = await fetchPost(deps, uri);
  return post ? { kind: "post", post } : findKnown(deps, uri);
}

/** The fetches that one message may cause: a limited number of objects, none twice. */
type Walk = { left: number; readonly seen: Set<string> };

/**
 * Fetches a public post, or a public comment with its parents up to the post, from their own
 * servers, and stores them from the post downwards.
 * @returns the post, where it is one
 */
export async function fetchPost(
  deps: ReceiveNoteDeps,
  uri: string,
  walk: Walk = { left: MAX_FETCHED_PARENTS, seen: new Set() },
): Promise<Post | undefined> {
  if (walk.left === 0 || walk.seen.has(uri)) return undefined;
  walk.left -= 1;
  walk.seen.add(uri);
  const object = await fetchObject(deps, uri);
  return object && keepFetched(deps, object, walk);
}

/** The same with an object already fetched from its own id. */
export async function keepFetched(
  deps: ReceiveNoteDeps,
  object: JsonObject,
  walk: Walk = { left: MAX_FETCHED_PARENTS, seen: new Set() },
): Promise<Post | undefined> {
  const note = readOwnNote(object);
  const author = note && (await deps.discoverActor(note.attributedTo));
  if (!note || author?.state !== "active") return undefined;
  const audience = await findAudience(deps, note, author, null);
  if (!audience.public) return undefined;
  if (note.inReplyTo === undefined)
    return storePost(deps, note, author, audience);
  if (!(await findKnown(deps, note.inReplyTo)))
    await fetchPost(deps, note.inReplyTo, walk);
  if (await findKnown(deps, note.inReplyTo))
    await receiveComment(deps, note, author, note.inReplyTo, {
      ...audience,
      isWanted: true,
    });
  return undefined;
}
