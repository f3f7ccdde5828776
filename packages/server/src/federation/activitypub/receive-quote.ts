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
import { usernameOf, type Person } from "../../features/people/index.ts";
import { timestamp } from "../../lib/clock.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { isOfServer } from "./authority/origins.ts";
import { getObject } from "./authority/vouched.ts";
import { findKnown } from "./objects.ts";
import type { ReceiveFollowDeps } from "./receive-follow.ts";
import type { ReceiveNoteDeps } from "./receive-note.ts";
import { sendAnswer } from "./send-answer.ts";
import { insertSentActivity } from "./sent-activity-store.ts";
import { derivedGuid } from "./uris.ts";

export type ReceiveQuoteDeps = ReceiveNoteDeps & ReceiveFollowDeps;

/**
 * Somebody asks for leave to quote what was written here (FEP-044f). What is public
 * may be quoted by everybody; what only some may read, by nobody.
 */
export async function receiveQuoteRequest(
  deps: ReceiveQuoteDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const request = readQuoteRequest(activity);
  const quoted = await findQuoted(deps, request, sender);
  if (!quoted) return done("a quote of something unknown");
  const { author: by, guid: about, isPublic } = quoted;
  const answered = { by, about };
  if (!isPublic || !(await isOwnQuote(deps, activity, sender))) {
    const refusal = { ...answered, type: "Reject" } as const;
    await sendAnswer(deps, activity, sender, refusal);
    return done("quote refused");
  }
  const result = await authorize(deps, request, by);
  const leave = { ...answered, type: "Accept", result } as const;
  await sendAnswer(deps, activity, sender, leave);
  return done("quote");
}

type Quoted = {
  readonly author: Person;
  readonly guid: string;
  readonly isPublic: boolean;
};

/** What somebody here wrote and the sender may see. */
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
  const post = await deps.posts.findVisible({ id }, viewer);
  const author = post && (await deps.people.find({ id: personId }));
  return post && author?.userId != null && author.state === "active"
    ? { author, guid, isPublic: post.public }
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

/** Keeps the leave where its id answers with it, for as long as what is quoted is there. @returns its id */
async function authorize(
  { db, clock, uris }: ReceiveQuoteDeps,
  { quoted, quoting }: QuoteRequest,
  author: Person,
): Promise<string> {
  const guid = derivedGuid("quote", `${quoted}\n${quoting}`);
  const id = uris.object(guid);
  const attributedTo = uris.actor(usernameOf(author));
  const leave = buildQuoteAuthorization({ id, attributedTo, quoted, quoting });
  const record = {
    guid,
    personId: author.id,
    public: true,
    addressees: [],
    document: serialize(withContext(leave)),
    isObject: true,
  };
  await db.transaction((tx) =>
    insertSentActivity(tx, record, timestamp(clock.now())),
  );
  return id;
}
