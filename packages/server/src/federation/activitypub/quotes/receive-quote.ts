import {
  buildQuoteAuthorization,
  readNote,
  readQuoteRequest,
  serialize,
  withContext,
  type Activity,
  type JsonObject,
  type QuoteRequest,
} from "@kith/activitypub";
import type { Blocks } from "../../../features/blocks/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Post } from "../../../features/posts/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { newGuid } from "../../../lib/guids.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import { getObject } from "../authority/vouched.ts";
import { findKnown } from "../records/objects.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";
import { sendAnswer, type SendAnswerDeps } from "../sending/send-answer.ts";
import {
  countQuoteLeaves,
  deleteQuoteLeaves,
  findQuoteLeave,
  insertQuoteLeave,
} from "./quote-leave-store.ts";
import { derivedGuid } from "../records/uris.ts";
import { findForServer } from "../documents/viewer.ts";

export type ReceiveQuoteDeps = ReceiveNoteDeps &
  SendAnswerDeps & { readonly blocks: Blocks };

/** Each request stores a row: no real actor quotes one object more often. */
const MAX_QUOTES = 20;

/**
 * Answers a request to quote a local object (FEP-044f). A public object may be
 * quoted by those whom its policy lets, whom neither its author nor the post's
 * author has blocked, and who are not silenced for the author; a limited one by
 * no one. A quote that its author revoked is refused for good.
 */
export async function receiveQuoteRequest(
  deps: ReceiveQuoteDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const request = readQuoteRequest(activity);
  const quoted = await findQuoted(deps, request, sender);
  if (!quoted) return done("a quote of something unknown");
  const { author: by, guid: about } = quoted;
  const answered = { by, about };
  const isGiven =
    (await mayQuote(deps, quoted, sender)) &&
    !(await isRevoked(deps, request, quoted)) &&
    (await isOwnQuote(deps, activity, sender));
  const leave = isGiven
    ? await giveLeave(deps, request, quoted, sender)
    : undefined;
  if (leave === undefined) {
    const refusal = { ...answered, type: "Reject" } as const;
    await sendAnswer(deps, activity, sender, refusal);
    return done("quote refused");
  }
  const result = deps.uris.object(leave);
  await noteLeave(deps, request, sender, result);
  const accepted = { ...answered, type: "Accept", result } as const;
  await sendAnswer(deps, activity, sender, accepted);
  return done("quote");
}

type Quoted = {
  readonly author: Person;
  readonly guid: string;
  readonly isPublic: boolean;
  readonly quotableBy: Post["quotableBy"];
  /**
   * The people whose blocks apply: the author of the object, and of the post
   * above it.
   */
  readonly owners: readonly PersonId[];
};

async function mayQuote(
  { blocks, quotes }: ReceiveQuoteDeps,
  { author, isPublic, owners, quotableBy }: Quoted,
  sender: Person,
): Promise<boolean> {
  const { userId } = author;
  if (!isPublic || userId === null) return false;
  if (!(await quotes.isQuotableBy(userId, quotableBy, sender.id))) return false;
  if (!(await blocks.mayNotify(userId, sender.id))) return false;
  for (const owner of owners) {
    const blocked = await blocks.listBlockedAmong(owner, [sender.id]);
    if (blocked.length > 0) return false;
  }
  return true;
}

/** A local object that the sender may see, or that is public. */
async function findQuoted(
  deps: ReceiveQuoteDeps,
  { quoted }: QuoteRequest,
  sender: Person,
): Promise<Quoted | undefined> {
  if (!deps.uris.isLocal(quoted)) return undefined;
  const known = await findKnown(deps, quoted);
  if (!known) return undefined;
  const { personId, id, guid } =
    known.kind === "post"
      ? known.post
      : { ...known.comment, id: known.comment.postId };
  const viewer = { personId: sender.id, userId: null };
  const post = await findForServer(viewer, (who) =>
    deps.posts.findVisible({ id }, who),
  );
  const author = post && (await deps.people.find({ id: personId }));
  if (!post || author?.userId == null || author.state !== "active")
    return undefined;
  return {
    author,
    guid,
    isPublic: post.public,
    // Comments have no policy of their own.
    quotableBy:
      known.kind === "post"
        ? known.post.quotableBy
        : await deps.quotes.findUsualPolicy(author.userId),
    owners: [author.id, post.personId],
  };
}

/**
 * Is the quoting post on the sender's server and by the sender, and does it
 * quote the requested object?
 */
async function isOwnQuote(
  deps: ReceiveQuoteDeps,
  activity: Activity,
  sender: Person,
): Promise<boolean> {
  const request = readQuoteRequest(activity);
  const { quoting: id, embedded, quoted } = request;
  if (!isOfServer(id, activity.actor)) return false;
  if (embedded && embedded["id"] !== id) return false;
  const object: JsonObject | undefined = await getObject(
    deps,
    embedded ? { id, embedded } : { id },
    sender,
  );
  const note = object && readNote(object);
  return note?.attributedTo === activity.actor && note.quote === quoted;
}

/** Did the author of the quoted object revoke this quote before? */
async function isRevoked(
  { posts, quotes }: ReceiveQuoteDeps,
  { quoting }: QuoteRequest,
  { guid }: Quoted,
): Promise<boolean> {
  if (await quotes.isRevoked(guid, quoting)) return true;
  const post = await posts.find({ uri: quoting });
  return post !== undefined && quotes.isRevokedHere(post.id);
}

/** The quoting post may be stored already: it is checked again. */
async function noteLeave(
  { posts, quotes }: ReceiveQuoteDeps,
  { quoting }: QuoteRequest,
  sender: Person,
  leave: string,
): Promise<void> {
  const post = await posts.find({ uri: quoting });
  const quote = post && (await quotes.find(post.id));
  if (quote && post.personId === sender.id)
    await quotes.offerLeave(quote, leave);
}

/**
 * Stores the authorization under its id, until it is revoked or the quoted
 * object is deleted.
 * @returns its guid; undefined if it is refused after all
 */
async function giveLeave(
  deps: ReceiveQuoteDeps,
  request: QuoteRequest,
  quoted: Quoted,
  sender: Person,
): Promise<string | undefined> {
  const { db, clock, uris } = deps;
  const { quoted: target, quoting } = request;
  const { author, guid: quotedGuid } = quoted;
  const askedBy = sender.addresses.actorUri ?? "";
  const quote = derivedGuid("quote", `${target}\n${quoting}`);
  const known = await findQuoteLeave(db.read, quote);
  if (known !== undefined) return known;
  const given = await countQuoteLeaves(db.read, quotedGuid, askedBy);
  if (given >= MAX_QUOTES) return undefined;
  // A revoked authorization stays invalid: a new one has another id.
  const guid = newGuid();
  const document = buildQuoteAuthorization({
    id: uris.object(guid),
    attributedTo: uris.actor(usernameOf(author)),
    quoted: target,
    quoting,
  });
  const leave = {
    guid,
    personId: author.id,
    quotedGuid,
    askedBy,
    document: serialize(withContext(document)),
  };
  await db.transaction((tx) =>
    insertQuoteLeave(tx, leave, quote, timestamp(clock.now())),
  );
  // A block or a revocation ends earlier authorizations; a concurrent one is checked here.
  if (
    (await mayQuote(deps, quoted, sender)) &&
    !(await isRevoked(deps, request, quoted))
  )
    return findQuoteLeave(db.read, quote);
  await db.transaction((tx) => deleteQuoteLeaves(tx, [guid]));
  return undefined;
}
