import {
  buildQuoteAuthorization,
  buildQuoteRequest,
  serialize,
  withContext,
} from "@kith/activitypub";
import type { Fact } from "../../../features/facts.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Quote, Quotes } from "../../../features/quotes/index.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { putInQueue } from "../../outbound/dispatch.ts";
import { loadPost, type LoadPostDeps } from "../../outbound/load/load-post.ts";
import { inboxesOf } from "../sending/inboxes-of.ts";
import { findQuoteLeave, insertQuoteLeave } from "./quote-leave-store.ts";
import { renderPostObject } from "../render/render-post.ts";
import { KEEP_ANSWER_MS, type SendAnswerDeps } from "../sending/send-answer.ts";
import { insertSentActivity } from "../records/sent-activity-store.ts";
import { derivedGuid } from "../records/uris.ts";

export type AskToQuoteDeps = LoadPostDeps &
  SendAnswerDeps & {
    readonly handleHost: string;
    readonly jobs: Jobs;
    readonly posts: Posts;
    readonly quotes: Quotes;
  };

/**
 * Obtains the authorization for the quote in a new local post (FEP-044f),
 * before the post is delivered: a local author's is issued immediately, and
 * remote authors are asked.
 */
export function createAskToQuote(
  deps: AskToQuoteDeps,
): (fact: Fact) => Promise<void> {
  const { people, posts, quotes } = deps;
  return async (fact) => {
    if (fact.type !== "post.published") return;
    const quote = await quotes.find(fact.postId);
    if (!quote || quote.quotedGuid === null) return;
    const post = await posts.find({ id: fact.postId });
    const author = post && (await people.find({ id: post.personId }));
    const quoted = await posts.find({ guid: quote.quotedGuid });
    const by = quoted && (await people.find({ id: quoted.personId }));
    if (!post || !quoted || !by || author?.userId == null) return;
    // Authors may always quote themselves.
    if (author.state !== "active" || author.id === by.id) return;
    const asked = { quote, post, author, quoted, by };
    await (by.userId === null ? ask(deps, asked) : giveLeave(deps, asked));
  };
}

type Asked = {
  readonly quote: Quote;
  readonly post: Post;
  readonly author: Person;
  readonly quoted: Post;
  /** The author of the quoted post. */
  readonly by: Person;
};

/**
 * Remote servers check the authorization, even if both posts are of this one.
 */
async function giveLeave(
  { db, clock, uris, quotes }: AskToQuoteDeps,
  { quote, post, author, quoted, by }: Asked,
): Promise<void> {
  if (quote.state !== "accepted" || quote.authorizationUri !== null) return;
  const target = uris.object(quoted.guid);
  const quoting = uris.object(post.guid);
  const guid = derivedGuid("quote-authorization", post.guid);
  const document = buildQuoteAuthorization({
    id: uris.object(guid),
    attributedTo: uris.actor(usernameOf(by)),
    quoted: target,
    quoting,
  });
  const leave = {
    guid,
    personId: by.id,
    quotedGuid: quoted.guid,
    askedBy: uris.actor(usernameOf(author)),
    document: serialize(withContext(document)),
  };
  const name = derivedGuid("quote", `${target}\n${quoting}`);
  await db.transaction((tx) =>
    insertQuoteLeave(tx, leave, name, timestamp(clock.now())),
  );
  const given = await findQuoteLeave(db.read, name);
  if (given !== undefined)
    await quotes.settle(quote, { authorizationUri: uris.object(given) });
}

/**
 * The request contains the whole post: an author who may not see that is not
 * asked, and the quote stays a link.
 */
async function ask(deps: AskToQuoteDeps, asked: Asked): Promise<void> {
  const { db, clock, uris } = deps;
  const { quote, post, author, quoted, by } = asked;
  const actor = by.addresses.actorUri;
  const target = uris.ofPost(quoted, by);
  if (quote.state !== "pending" || actor === null || target === null) return;
  if (!(await isReaderOf(deps, post, by))) return;
  const readers = post.public ? [] : [actor];
  const guid = requestGuid(post);
  const now = clock.now();
  const content = await loadPost(deps, post, author);
  const loaded = { post, by: author, content };
  const request = buildQuoteRequest({
    id: uris.activity(guid),
    actor: uris.actor(usernameOf(author)),
    quoted: target,
    author: actor,
    quoting: renderPostObject({ ...deps, now }, loaded, readers),
    guid,
  });
  const document = serialize(withContext(request));
  const record = {
    guid,
    personId: author.id,
    public: false,
    addressees: [actor],
    document,
  };
  const expiresAt = timestamp(later(now, KEEP_ANSWER_MS));
  const dispatch = {
    document,
    order: { about: `quote:${post.guid}` },
    deliveries: inboxesOf(author, [by]),
  };
  await db.transaction(async (tx) => {
    await insertSentActivity(tx, record, timestamp(now), expiresAt);
    await putInQueue(deps, tx, [dispatch]);
  });
}

/** May this person know what a post quotes, and who wrote the post? */
async function isReaderOf(
  { posts }: Pick<AskToQuoteDeps, "posts">,
  post: Pick<Post, "id">,
  { id: personId }: Person,
): Promise<boolean> {
  const viewer = { personId, userId: null };
  return (await posts.findVisible({ id: post.id }, viewer)) !== undefined;
}

/** The guid of the QuoteRequest of a post: there is one. */
export function requestGuid({ guid }: Pick<Post, "guid">): string {
  return derivedGuid("quote-request", guid);
}
