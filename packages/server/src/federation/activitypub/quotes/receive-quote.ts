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
import type { PersonId } from "../../../features/ids.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { newGuid } from "../../../lib/guids.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import { getObject } from "../authority/vouched.ts";
import { findKnown } from "../records/objects.ts";
import type { ReceiveFollowDeps } from "../inbox/receive-follow.ts";
import type { ReceiveNoteDeps } from "../inbox/receive-note.ts";
import { sendAnswer } from "../sending/send-answer.ts";
import {
  countQuoteLeaves,
  deleteQuoteLeaves,
  findQuoteLeave,
  insertQuoteLeave,
} from "./quote-leave-store.ts";
import { derivedGuid } from "../records/uris.ts";
import { findForServer } from "../http/viewer.ts";

export type ReceiveQuoteDeps = ReceiveNoteDeps & ReceiveFollowDeps;

/** Whoever asks makes a row for each: nobody quotes one thing more often. */
const MAX_QUOTES = 20;

/**
 * Somebody asks for leave to quote what was written here (FEP-044f). What is public
 * may be quoted by everybody whom its author, or the one of its post, has not blocked,
 * and who is not silenced for the author; what only some may read, by nobody.
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
  /** Of whom each may keep others away: who wrote it, and who wrote the post above it. */
  readonly owners: readonly PersonId[];
};

async function mayQuote(
  { blocks }: ReceiveQuoteDeps,
  { author, isPublic, owners }: Quoted,
  sender: Person,
): Promise<boolean> {
  if (!isPublic || author.userId === null) return false;
  if (!(await blocks.isHeard(author.userId, sender.id))) return false;
  for (const owner of owners) {
    const blocked = await blocks.listBlockedAmong(owner, [sender.id]);
    if (blocked.length > 0) return false;
  }
  return true;
}

/** What somebody here wrote and the sender may see, or everybody. */
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
  return post && author?.userId != null && author.state === "active"
    ? {
        author,
        guid,
        isPublic: post.public,
        owners: [author.id, post.personId],
      }
    : undefined;
}

/** Does the quoting post stand on the sender's server, is it the sender's, and does it quote what it asks for? */
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

/** The quoting post may be here already: it is looked at again. */
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
 * Keeps the leave where its id answers with it, until it is taken back or what is quoted
 * is gone.
 * @returns its Guid; undefined where it is refused after all
 */
async function giveLeave(
  deps: ReceiveQuoteDeps,
  { quoted: target, quoting }: QuoteRequest,
  quoted: Quoted,
  sender: Person,
): Promise<string | undefined> {
  const { db, clock, uris } = deps;
  const { author, guid: quotedGuid } = quoted;
  const askedBy = sender.addresses.actorUri ?? "";
  const quote = derivedGuid("quote", `${target}\n${quoting}`);
  const known = await findQuoteLeave(db.read, quote);
  if (known !== undefined) return known;
  const given = await countQuoteLeaves(db.read, quotedGuid, askedBy);
  if (given >= MAX_QUOTES) return undefined;
  // One that was taken back is gone for good: whoever knows it has another name.
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
  // A block looks for what was given before it; what was given meanwhile looks for the block.
  if (await mayQuote(deps, quoted, sender))
    return findQuoteLeave(db.read, quote);
  await db.transaction((tx) => deleteQuoteLeaves(tx, [guid]));
  return undefined;
}
