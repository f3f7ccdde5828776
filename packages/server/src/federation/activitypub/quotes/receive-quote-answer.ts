import { isJsonObject, parseJson, type Activity } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Quote, Quotes } from "../../../features/quotes/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import { requestGuid } from "./ask-to-quote.ts";
import { findSentActivity } from "../records/sent-activity-store.ts";
import type { Uris } from "../records/uris.ts";

export type ReceiveQuoteAnswerDeps = {
  readonly db: Db;
  readonly people: Pick<People, "find">;
  readonly posts: Pick<Posts, "find">;
  readonly quotes: Quotes;
  readonly uris: Uris;
};

/**
 * The answer to a local QuoteRequest, accepted from the quoted author only. An
 * Accept names the authorization, which is then fetched from the author's
 * server: its current content counts, in whatever order the answers arrive.
 * @returns undefined if it answers something else
 */
export async function receiveQuoteAnswer(
  deps: ReceiveQuoteAnswerDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult | undefined> {
  const { type, object, result } = activity;
  if (type !== "Accept" && type !== "Reject") return undefined;
  const post = await findAsking(deps, activity);
  const quote = post && (await deps.quotes.find(post.id));
  if (!quote)
    return object?.embedded?.["type"] === "QuoteRequest"
      ? done("the answer to no request of ours")
      : undefined;
  if (!(await isAuthorOfQuoted(deps, quote, sender)))
    return done("not the quoted author's answer");
  if (type === "Reject") return receiveRefusal(deps, quote);
  const { actorUri } = sender.addresses;
  if (result === undefined || !isOfServer(result, actorUri ?? ""))
    return done("no leave of the author's server");
  await deps.quotes.offerLeave(quote, result);
  return done("quote allowed");
}

async function receiveRefusal(
  { quotes }: ReceiveQuoteAnswerDeps,
  quote: Quote,
): Promise<InboundResult> {
  if (quote.state === "pending")
    await quotes.settle(quote, { state: "rejected" });
  if (quote.state === "accepted")
    await quotes.settle(quote, { state: "revoked" });
  return done("quote refused by the author");
}

/**
 * The local post of a QuoteRequest. Some servers name the request by its id
 * alone.
 */
async function findAsking(
  { db, people, posts, uris }: ReceiveQuoteAnswerDeps,
  { object }: Activity,
): Promise<Post | undefined> {
  const guid =
    object?.id === undefined ? undefined : uris.guidOfActivity(object.id);
  if (guid === undefined) return undefined;
  const sent = await findSentActivity(db.read, guid);
  const request = sent
    ? parseJson(Buffer.from(sent.document))
    : object?.embedded;
  const instrument = request?.["instrument"];
  const quoting = isJsonObject(instrument) ? instrument["id"] : instrument;
  const postGuid =
    typeof quoting === "string" ? uris.guidOfObject(quoting) : undefined;
  if (postGuid === undefined || request?.["type"] !== "QuoteRequest")
    return undefined;
  const post = await posts.find({ guid: postGuid });
  const by = post && (await people.find({ id: post.personId }));
  return by?.userId != null && requestGuid({ guid: postGuid }) === guid
    ? post
    : undefined;
}

async function isAuthorOfQuoted(
  { posts }: ReceiveQuoteAnswerDeps,
  { quotedGuid }: Quote,
  { id }: Person,
): Promise<boolean> {
  if (quotedGuid === null) return false;
  return (await posts.find({ guid: quotedGuid }))?.personId === id;
}

/**
 * A Delete of an authorization: accepted from the quoted author, or, before the
 * quote was checked, from the author's server.
 * @returns the posts with this authorization
 */
export async function receiveQuoteRevocation(
  deps: ReceiveQuoteAnswerDeps,
  uri: string,
  sender: Person,
): Promise<Post["id"][]> {
  const { actorUri } = sender.addresses;
  if (actorUri === null || !isOfServer(uri, actorUri)) return [];
  return deps.quotes.revokeLeave(uri, async (quote) =>
    quote.quotedGuid === null
      ? isOfServer(quote.quotedUri ?? "", actorUri)
      : isAuthorOfQuoted(deps, quote, sender),
  );
}
