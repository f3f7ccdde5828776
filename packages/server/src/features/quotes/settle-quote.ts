import type { Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { Fact } from "../facts.ts";
import type { PostId } from "../ids.ts";
import type { QuotesDeps } from "./deps.ts";
import type { Author, PostKey } from "../posts/index.ts";
import {
  findQuote,
  listByAuthorization,
  listQuotingIds,
} from "./quote-queries.ts";
import {
  changeQuote,
  insertRevoked,
  listQuotersOf,
  revokeQuotes,
} from "./quote-store.ts";
import type { Quote } from "./quote.ts";

const AT_ONCE = 100;

type Settled = Partial<
  Pick<Quote, "state" | "quotedGuid" | "authorizationUri">
>;

/**
 * Stores the result of a check. If the quoting post is local, records the change for
 * others.
 * @returns false if the quote was changed concurrently
 */
export async function settleQuote(
  deps: QuotesDeps,
  quote: Quote,
  settled: Settled,
): Promise<boolean> {
  const changedAt = timestamp(deps.clock.now());
  return deps.db.transaction(async (tx) => {
    if (!(await changeQuote(tx, quote, { ...settled, changedAt })))
      return false;
    const { state = quote.state } = settled;
    if (state !== quote.state) await recordChange(deps, tx, [quote.postId]);
    return true;
  });
}

/** Revokes quotes when the quoted post is retracted, or its author blocks the quoting one. */
export async function revokeAfter(deps: QuotesDeps, fact: Fact): Promise<void> {
  const list = listConcerned(fact);
  if (!list) return;
  for (;;) {
    const ended = await deps.db.transaction(async (tx) => {
      const postIds = await list(tx);
      await revokeSome(deps, tx, postIds);
      return postIds.length;
    });
    if (ended < AT_ONCE) return;
  }
}

function listConcerned(
  fact: Fact,
): ((tx: Tx) => Promise<PostId[]>) | undefined {
  switch (fact.type) {
    case "post.retracted":
      return (tx) => listQuotersOf(tx, [fact.guid], AT_ONCE);
    case "person.blocked":
      return (tx) =>
        listQuotingIds(tx, { by: fact.personId, of: fact.by }, AT_ONCE);
    default:
      return undefined;
  }
}

/**
 * The quoted author revokes an authorization.
 * @returns the posts whose quotes used it
 */
export async function revokeLeave(
  deps: QuotesDeps,
  authorizationUri: string,
  isAllowed: (quote: Quote) => Promise<boolean>,
): Promise<PostId[]> {
  const named = await listByAuthorization(
    deps.db.read,
    authorizationUri,
    AT_ONCE,
  );
  const allowed: PostId[] = [];
  for (const quote of named)
    if (await isAllowed(quote)) allowed.push(quote.postId);
  await deps.db.transaction((tx) => revokeSome(deps, tx, allowed));
  return allowed;
}

/** The quoted author revokes one quote; the quoting post stays, with a link. */
export async function revokeQuote(
  deps: QuotesDeps,
  user: Author,
  quotedKey: PostKey,
  quotingKey: PostKey,
): Promise<void> {
  const { db, clock, facts, posts } = deps;
  await db.transaction(async (tx) => {
    const quoted = await posts.findVisible(quotedKey, user, tx);
    if (quoted?.personId !== user.personId)
      throw new KithError("not_found", "No such post of yours.");
    const quoting = await posts.findVisible(quotingKey, user, tx);
    const quote = quoting && (await findQuote(tx, quoting.id));
    const isOwn = quoting?.personId === user.personId;
    if (!quote || isOwn || quote.quotedGuid !== quoted.guid)
      throw new KithError("not_found", "No such quote.");
    if ((await revokeSome(deps, tx, [quote.postId])).length === 0)
      throw new KithError("not_found", "The quote is over already.");
    if (quoting.uri !== null)
      await insertRevoked(tx, quoted.id, quoting.uri, timestamp(clock.now()));
    await facts.record(tx, {
      ...{ type: "quote.revoked", postId: quote.postId },
      ...{ quotedGuid: quoted.guid, by: user.personId },
    });
  });
}

async function revokeSome(
  deps: QuotesDeps,
  tx: Tx,
  postIds: readonly PostId[],
): Promise<PostId[]> {
  const changedAt = timestamp(deps.clock.now());
  const revoked = await revokeQuotes(tx, postIds, changedAt);
  await recordChange(deps, tx, revoked);
  return revoked;
}

/** For local posts only: remote servers announce the changes of their own. */
async function recordChange(
  { facts }: QuotesDeps,
  tx: Tx,
  postIds: readonly PostId[],
): Promise<void> {
  if (postIds.length === 0) return;
  const rows = await tx
    .selectFrom("posts")
    .innerJoin("people", "people.id", "posts.person_id")
    .select(["posts.id", "posts.person_id"])
    .where("posts.id", "in", postIds)
    .where("people.user_id", "is not", null)
    .execute();
  for (const { id, person_id: by } of rows)
    await facts.record(tx, {
      type: "quote.changed",
      postId: id,
      by: by,
    });
}
