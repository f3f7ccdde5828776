import {
  buildActivity,
  isJsonObject,
  parseJson,
  PUBLIC,
  serialize,
  withContext,
} from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { Fact } from "../../../features/facts.ts";
import {
  usernameOf,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { putInQueue } from "../../outbound/dispatch.ts";
import type { Dispatch } from "../../outbound/outgoing.ts";
import {
  deleteQuoteLeaves,
  listQuoteLeaves,
  type GivenLeaves,
  type QuoteLeave,
} from "./quote-leave-store.ts";
import { KEEP_ANSWER_MS, orderOfAnswer } from "../sending/send-answer.ts";
import {
  insertSentActivity,
  type SentActivity,
} from "../records/sent-activity-store.ts";
import {
  proveDocument,
  signDocument,
  type SignDocumentDeps,
} from "../sending/sign-document.ts";
import { derivedGuid } from "../records/uris.ts";

export type RevokeQuotesDeps = SignDocumentDeps & {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly people: Pick<People, "find">;
  readonly posts: Pick<Posts, "find">;
  readonly retractions: Pick<Retractions, "find">;
};

const AT_ONCE = 100;
/** Names in one query. */
const MAX_NAMES = 500;

/**
 * Revokes authorizations if the quoted object is deleted, the requester is
 * blocked, or the author revokes one: the quoting author is notified, and forwards that to the recipients
 * of the quote (FEP-044f).
 */
export function createRevokeQuotes(
  deps: RevokeQuotesDeps,
): (fact: Fact) => Promise<void> {
  return async (fact) => {
    for (const given of await listConcerned(deps, fact))
      while (await revokeSome(deps, given));
  };
}

async function listConcerned(
  { people, posts, retractions, uris }: RevokeQuotesDeps,
  fact: Fact,
): Promise<GivenLeaves[]> {
  switch (fact.type) {
    case "comment.retracted":
      return [{ quotedGuids: [fact.guid] }];
    case "post.retracted": {
      const { guid, by: personId } = fact;
      const gone = await retractions.find({ kind: "Post", guid, personId });
      const details = gone?.details;
      const below = details?.kind === "Post" ? (details.below ?? []) : [];
      const guids = [guid, ...below];
      const lots = Array.from(
        { length: Math.ceil(guids.length / MAX_NAMES) },
        (_, at) => guids.slice(at * MAX_NAMES, (at + 1) * MAX_NAMES),
      );
      return lots.map((quotedGuids) => ({ quotedGuids }));
    }
    case "quote.revoked": {
      const post = await posts.find({ id: fact.postId });
      const by = post && (await people.find({ id: post.personId }));
      const quoting = post && by ? uris.ofPost(post, by) : null;
      if (quoting === null) return [];
      const quoted = uris.object(fact.quotedGuid);
      return [{ quote: derivedGuid("quote", `${quoted}\n${quoting}`) }];
    }
    case "person.blocked": {
      const blocked = await people.find({ id: fact.personId });
      const askedBy = blocked ? uris.ofPerson(blocked) : null;
      return askedBy === null ? [] : [{ personId: fact.by, askedBy }];
    }
    default:
      return [];
  }
}

/** @returns true if there may be more */
async function revokeSome(
  deps: RevokeQuotesDeps,
  given: GivenLeaves,
): Promise<boolean> {
  const { db, clock } = deps;
  const leaves = await listQuoteLeaves(db.read, given, AT_ONCE);
  if (leaves.length === 0) return false;
  const revocations: Revocation[] = [];
  for (const leave of leaves) {
    const revocation = await renderRevocation(deps, leave);
    if (revocation) revocations.push(revocation);
  }
  const now = clock.now();
  const expiresAt = timestamp(later(now, KEEP_ANSWER_MS));
  await db.transaction(async (tx) => {
    const dispatches = revocations.map(({ dispatch }) => dispatch);
    await putInQueue(deps, tx, dispatches);
    for (const { record } of revocations)
      await insertSentActivity(tx, record, timestamp(now), expiresAt);
    const guids = leaves.map(({ guid }) => guid);
    await deleteQuoteLeaves(tx, guids);
  });
  return leaves.length === AT_ONCE;
}

type Revocation = {
  readonly record: SentActivity;
  readonly dispatch: Dispatch;
};

/** @returns undefined if there is no recipient, or the author has left */
async function renderRevocation(
  deps: RevokeQuotesDeps,
  leave: QuoteLeave,
): Promise<Revocation | undefined> {
  const { people } = deps;
  const author = await people.find({ id: leave.personId });
  const asker = await people.find({ uri: leave.askedBy });
  const url = asker?.addresses.inboxUri ?? null;
  if (author?.userId == null || author.state === "closed") return undefined;
  if (!asker || url === null) return undefined;
  const guid = derivedGuid("delete", leave.guid);
  const document = await write(deps, leave, author, guid);
  return {
    record: {
      guid,
      personId: author.id,
      public: true,
      addressees: [],
      document,
    },
    dispatch: {
      document,
      // After the Accept with the authorization.
      order: orderOfAnswer("QuoteRequest", asker, leave.quotedGuid),
      evenSuspended: true,
      deliveries: [
        {
          protocol: "activitypub",
          url,
          place: asker.addresses.sharedInboxUri ?? url,
          senderUserId: author.userId,
          recipientId: null,
        },
      ],
    },
  };
}

/**
 * The quoting author forwards it, so it is authenticated in both ways: Mastodon
 * accepts LD signatures only.
 */
async function write(
  deps: RevokeQuotesDeps,
  { document, askedBy }: QuoteLeave,
  author: Person,
  guid: string,
): Promise<string> {
  const { uris } = deps;
  const given = parseJson(Buffer.from(document));
  const { "@context": _, ...object } = isJsonObject(given) ? given : {};
  const activity = buildActivity({
    id: uris.activity(guid),
    type: "Delete",
    actor: uris.actor(usernameOf(author)),
    object,
    to: [PUBLIC],
    cc: [askedBy],
    guid,
  });
  const proved = await proveDocument(deps, withContext(activity), author);
  return serialize(await signDocument(deps, proved, author));
}
