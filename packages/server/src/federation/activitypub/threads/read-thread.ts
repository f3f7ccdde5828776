import {
  ActivityPubError,
  parseHttpUrl,
  serialize,
  type Collection,
  type FetchDocument,
  type ObjectRef,
} from "@kith/activitypub";
import type { Comment } from "../../../features/comments/index.ts";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { DONE, type JobHandler } from "../../../jobs/job.ts";
import { KithError } from "../../../lib/errors.ts";
import { createRateLimit } from "../../../lib/limits/rate-limit.ts";
import {
  askWhetherGone,
  fetchCollection,
  fetchObject,
  notingSilence,
} from "../authority/fetch-own.ts";
import { isOfServer, originOf } from "../authority/origins.ts";
import { readOwnNote } from "../authority/vouched.ts";
import { isPublic } from "../records/is-for-everyone.ts";
import { findKnown } from "../records/objects.ts";
import { listProved } from "../records/proved-store.ts";
import {
  forgetUnlisted,
  readKept,
  readListed,
  receiveProved,
  type Listed,
  type ReadProvedDeps,
} from "./read-proved.ts";
import { receiveEdit } from "../notes/receive-edit.ts";
import { postIdOf, storeComment } from "../notes/receive-note.ts";
import type { ThreadToRead } from "../inbox/watch-thread.ts";
import { listNamedUris } from "./thread-queries.ts";

export type ReadThreadDeps = ReadProvedDeps & {
  /** In the name of a local user. */
  readonly fetchAs: (person: Person, userId: UserId) => FetchDocument;
};

const MAX_PAGES = 10;
const MAX_ITEMS = 200;
/** Comments fetched in one run. */
const MAX_FETCHES = 20;
/**
 * Pauses before the rest is read, if a server is unavailable or over its limit:
 * there is no second announcement.
 */
const LATER_MS = [
  ...[5_000, 15_000, 60_000],
  ...[300_000, 1_800_000, 3 * 3_600_000],
];
/** Requests to a server that a thread only names. */
const NAMED_SERVER = { max: 300, windowMs: 600_000 };
/**
 * Requests to the server of the post, which asked for each reading: a lively
 * conversation needs several a second.
 */
const OWN_SERVER = { max: 3_000, windowMs: 600_000 };

/**
 * Stores the thread of a post, each object from its own server. A limited post
 * is read in the name of a local recipient. An object that its own server hides
 * from that person is accepted only with its author's proof: the post's server
 * cannot vouch for others.
 */
export function createReadThread(
  deps: ReadThreadDeps,
): JobHandler<ThreadToRead> {
  const named = createRateLimit({ ...deps, ...NAMED_SERVER });
  const own = createRateLimit({ ...deps, ...OWN_SERVER });
  return async ({ postId, uris }, { job }) => {
    const post = await deps.posts.find({ id: postId });
    if (!post || post.uri === null) return DONE;
    const fetchDocument = await chooseFetch(deps, post);
    if (!fetchDocument) return DONE;
    let isLeft = false;
    const home = originOf(post.uri);
    const mayAsk = (url: string): boolean => {
      const origin = originOf(url);
      return origin === home ? own.take(origin) : named.take(origin);
    };
    const asking = limited(fetchDocument, mayAsk, () => void (isLeft = true));
    const reading = { ...deps, mayAsk, fetchDocument: asking };
    // Before the collection is read: objects may arrive meanwhile.
    const known = await listNamedUris(deps.db.read, postId, MAX_ITEMS);
    const kept = await listKept(deps, post);
    const { listed, isWhole } = await listThread(reading, uris);
    for (const [key, document] of isWhole ? kept : [])
      if (!listed.has(key)) await forgetUnlisted(deps, document, post);
    const thread = { listed, known, kept };
    const left = await readNew(reading, post, thread);
    // The rest may have been edited or deleted without a message. Newest first.
    for (const uri of known
      .filter((uri) => !kept.has(uri) && !areChangesSent(post, uri))
      .slice(0, left.count)) {
      const isListed = listed.has(uri) || !isWhole;
      await unlessUnreadable(readAgain(reading, uri, isListed));
    }
    const pause = LATER_MS[job.attempts - 1];
    return (isLeft || left.isAway) && pause !== undefined
      ? {
          kind: "retry",
          afterMs: pause,
          reason: "Not all could be asked",
          leaveLane: true,
        }
      : DONE;
  };
}

/**
 * Below a limited post its own server sends the edits and deletions of its
 * people to every member.
 */
function areChangesSent(post: Post, uri: string): boolean {
  return !post.public && isOfServer(uri, post.uri ?? "");
}

/** Stored proved activities below a limited post, by key. */
async function listKept(
  { db }: ReadThreadDeps,
  post: Post,
): Promise<ReadonlyMap<string, string>> {
  return post.public
    ? new Map()
    : readKept(await listProved(db.read, post.id, MAX_ITEMS));
}

type Thread = {
  /** The listed objects by key, in order; with their activities if proved. */
  readonly listed: ReadonlyMap<string, Listed | undefined>;
  readonly known: readonly string[];
  readonly kept: ReadonlyMap<string, string>;
};

/**
 * @returns how many fetches are left, and whether an object remains that could
 *   not be fetched
 */
async function readNew(
  deps: ReadThreadDeps,
  post: Post,
  { listed, known, kept }: Thread,
): Promise<{ count: number; isAway: boolean }> {
  let count = MAX_FETCHES;
  let isAway = false;
  for (const [uri, proved] of listed) {
    if (proved && !post.public) {
      if (kept.get(uri) === serialize(proved.json)) continue;
      const taken = await unlessUnreadable(tryProved(deps, proved, post));
      isAway ||= taken === "away";
      continue;
    }
    if (count === 0 || known.includes(uri) || uri === post.uri) continue;
    if (!parseHttpUrl(uri) || deps.uris.isLocal(uri)) continue;
    count -= 1;
    await unlessUnreadable(readComment(deps, uri, post));
  }
  return { count, isAway };
}

async function tryProved(
  deps: ReadThreadDeps,
  proved: Listed,
  post: Post,
): Promise<"away" | "read"> {
  try {
    await receiveProved(deps, proved, post);
    return "read";
  } catch (error) {
    if (error instanceof KithError && error.code === "unavailable")
      return "away";
    throw error;
  }
}

/** A limited post is shown to its recipients only. */
async function chooseFetch(
  { posts, people, fetchAs, fetchDocument }: ReadThreadDeps,
  post: Post,
): Promise<FetchDocument | undefined> {
  if (post.public) return fetchDocument;
  const got = await people.listById(await posts.listRecipientIds(post.id));
  const member = [...got.values()].find(
    ({ userId, state }) => userId !== null && state === "active",
  );
  return member?.userId == null ? undefined : fetchAs(member, member.userId);
}

/**
 * @param note called if an object was not fetched, or its server did not answer
 */
function limited(
  fetch: FetchDocument,
  mayAsk: (url: string) => boolean,
  note: () => void,
): FetchDocument {
  const asking = notingSilence(fetch, note);
  return async (url) => {
    if (mayAsk(url)) return asking(url);
    note();
    return undefined;
  };
}

type Listing = {
  readonly listed: Map<string, Listed | undefined>;
  /** Is the list complete? */
  readonly isWhole: boolean;
};

/**
 * The objects in the order of the collections. Of a long one the newest pages
 * are read.
 */
async function listThread(
  deps: ReadThreadDeps,
  collections: readonly string[],
): Promise<Listing> {
  const pages: (readonly ObjectRef[])[] = [];
  const seen = new Set<string>();
  const waiting = collections.map((uri) => ({ uri, isBack: false }));
  let isWhole = true;
  let count = 0;
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const { uri } = at;
    if (seen.has(uri)) continue;
    if (seen.size === MAX_PAGES || count >= MAX_ITEMS) {
      isWhole = false;
      break;
    }
    seen.add(uri);
    const page = await unlessUnreadable(fetchCollection(deps, uri));
    if (!page) isWhole = false;
    const { items = [] } = page ?? {};
    count += items.length;
    if (at.isBack) pages.unshift(items);
    else pages.push(items);
    const onward = page && chooseOnward(page, at.isBack);
    if (onward && isOfServer(onward.uri, uri)) waiting.unshift(onward);
  }
  return { listed: inOrder(pages.flat()), isWhole };
}

function chooseOnward(
  { first, last, next, prev, totalItems = 0, items }: Collection,
  isBack: boolean,
): { uri: string; isBack: boolean } | undefined {
  const isStart = items.length === 0 && next === undefined;
  if (isStart && !isBack && last !== undefined && totalItems > MAX_ITEMS)
    return { uri: last, isBack: true };
  const uri = isBack ? prev : (next ?? (isStart ? first : undefined));
  return uri === undefined ? undefined : { uri, isBack };
}

/** By key; an object with a proof replaces its mere id. */
function inOrder(items: readonly ObjectRef[]): Listing["listed"] {
  const listed: Listing["listed"] = new Map();
  for (const { id, embedded } of items) {
    const proved = readListed(embedded);
    const key = proved?.key ?? id;
    if (key !== undefined && (proved || !listed.has(key)))
      listed.set(key, proved);
  }
  return listed;
}

/**
 * Both must confirm that it belongs here: the post's server, which lists it,
 * and its own, in its response.
 */
async function readComment(
  deps: ReadThreadDeps,
  uri: string,
  post: Post,
): Promise<void> {
  const object = await fetchObject(deps, uri);
  const note = object && readOwnNote(object);
  if (!note || (post.public && !isPublic(note.to, note.cc))) return;
  const parent =
    note.inReplyTo === undefined
      ? undefined
      : await findKnown(deps, note.inReplyTo);
  if (!parent || postIdOf(parent) !== post.id) return;
  const author = await deps.discoverActor(note.attributedTo);
  if (author?.state === "active")
    await storeComment(deps, note, author, parent);
}

/** An unreadable object counts as missing. */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

/** @param isListed does the post's server still list it? */
async function readAgain(
  deps: ReadThreadDeps,
  uri: string,
  isListed: boolean,
): Promise<void> {
  const comment: Comment | undefined = await deps.comments.find({ uri });
  const author = comment && (await deps.people.find({ id: comment.personId }));
  if (!author) return;
  const object = await fetchObject(deps, uri);
  if (object && object["type"] !== "Tombstone") {
    const note = readOwnNote(object);
    const isAuthors = note?.attributedTo === author.addresses.actorUri;
    if (note?.updated !== undefined && isAuthors)
      await receiveEdit(deps, note, author);
    return;
  }
  const answer = await askWhetherGone(deps, uri);
  if (answer === "gone" || (answer === "missing" && !isListed))
    await deps.comments.receiveRetraction({ uri }, author.id);
}
