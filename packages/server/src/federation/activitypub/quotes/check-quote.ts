import {
  ActivityPubError,
  isQuoteAuthorized,
  readQuoteAuthorization,
  type QuoteAuthorization,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { CheckQuote, Quote } from "../../../features/quotes/index.ts";
import { DONE, type JobHandler } from "../../../jobs/job.ts";
import { KithError } from "../../../lib/errors.ts";
import {
  createRateLimit,
  type RateLimit,
} from "../../../lib/limits/rate-limit.ts";
import { fetchObject, notingSilence } from "../authority/fetch-own.ts";
import { isOfServer, originOf } from "../authority/origins.ts";
import { findQuoteLeave } from "./quote-leave-store.ts";
import { readOwnNote } from "../authority/vouched.ts";
import { keepFetched, type ReceiveNoteDeps } from "../notes/receive-note.ts";
import { derivedGuid } from "../records/uris.ts";

/**
 * Pauses between retries if a server is unavailable, which may just restart, or
 * over its limit. After them the quote stays a link.
 */
const LATER_MS = [5_000, 30_000, 120_000, 1_800_000, 6 * 3_600_000];
/** Requests to one server because of quotes. */
const EACH_SERVER = { max: 300, windowMs: 600_000 };

/**
 * The result of the check. `unknown`: the quote is a link for now, until an
 * edit triggers another check.
 */
type Verdict =
  | {
      readonly kind: "accepted";
      readonly quoted: Post;
      readonly authorizationUri?: string;
    }
  | { readonly kind: "rejected" | "unknown" | "away" };

/**
 * Checks whether a post may show its quote (FEP-044f): for a local quoted post
 * our own record decides, authors may quote themselves, and otherwise the
 * authorization is fetched once from its id, and must be by the quoted author,
 * on the author's server, and for these two posts. An unknown quoted post is
 * fetched then.
 */
export function createCheckQuote(
  deps: ReceiveNoteDeps,
): JobHandler<CheckQuote> {
  const servers = createRateLimit({ ...deps, ...EACH_SERVER });
  return async ({ postId, isFetched = false }, { job }) => {
    const quote = await deps.quotes.find(postId);
    const post = quote && (await deps.posts.find({ id: postId }));
    const author = post && (await deps.people.find({ id: post.personId }));
    if (quote?.state !== "pending" || !post || !author) return DONE;
    const verdict = await judge(
      deps,
      { quote, post, author, isFetched },
      servers,
    );
    if (verdict.kind === "accepted") {
      const { quoted, authorizationUri = quote.authorizationUri } = verdict;
      const accepted = { state: "accepted", quotedGuid: quoted.guid } as const;
      await deps.quotes.settle(quote, { ...accepted, authorizationUri });
    }
    // A made-up id on this server is not an answer of the author.
    if (verdict.kind === "rejected")
      await deps.quotes.settle(
        quote,
        author.userId === null
          ? { state: "rejected" }
          : { authorizationUri: null },
      );
    const pause = LATER_MS[job.attempts - 1];
    return verdict.kind === "away" && pause !== undefined
      ? {
          kind: "retry",
          afterMs: pause,
          reason: "The server of what is quoted is away",
          leaveLane: true,
        }
      : DONE;
  };
}

type Judged = {
  readonly quote: Quote;
  readonly post: Post;
  readonly author: Person;
  readonly isFetched: boolean;
};

async function judge(
  deps: ReceiveNoteDeps,
  judged: Judged,
  servers: RateLimit,
): Promise<Verdict> {
  const { quote, post, author } = judged;
  const { uris } = deps;
  const { quotedUri } = quote;
  const quoting = uris.ofPost(post, author);
  const actor = uris.ofPerson(author);
  if (quotedUri === null || quoting === null || actor === null)
    return { kind: "unknown" };
  if (uris.isLocal(quotedUri)) return judgeOurs(deps, quotedUri, quoting);
  const { fetchDocument: ask } = deps;
  let isAway = false;
  const fetchDocument = notingSilence(
    async (url) => (servers.take(originOf(url)) ? ask(url) : undefined),
    () => void (isAway = true),
  );
  try {
    const asking = { ...deps, fetchDocument };
    const verdict = await judgeRemote(asking, judged, {
      quoted: quotedUri,
      quoting,
      actor,
    });
    return verdict.kind === "unknown" && isAway ? { kind: "away" } : verdict;
  } catch (error) {
    if (error instanceof ActivityPubError) return { kind: "rejected" };
    if (error instanceof KithError && error.code === "unavailable")
      return { kind: "away" };
    throw error;
  }
}

/** A quote of a local post was requested here. */
async function judgeOurs(
  { db, posts, uris }: ReceiveNoteDeps,
  quotedUri: string,
  quoting: string,
): Promise<Verdict> {
  const guid = uris.guidOfObject(quotedUri);
  const quoted = guid === undefined ? undefined : await posts.find({ guid });
  const name = derivedGuid("quote", `${quotedUri}\n${quoting}`);
  const leave = await findQuoteLeave(db.read, name);
  if (!quoted?.public || leave === undefined) return { kind: "unknown" };
  const authorizationUri = uris.object(leave);
  return { kind: "accepted", quoted, authorizationUri };
}

type Named = {
  readonly quoted: string;
  readonly quoting: string;
  readonly actor: string;
};

async function judgeRemote(
  deps: ReceiveNoteDeps,
  { quote, author, isFetched }: Judged,
  { quoted: uri, quoting, actor }: Named,
): Promise<Verdict> {
  const { authorizationUri } = quote;
  const known = await deps.posts.find({ uri });
  const mayBeOwn = authorizationUri === null && isOfServer(uri, actor);
  const own =
    known ??
    (mayBeOwn && !isFetched
      ? await fetchQuoted(deps, uri, (by) => by === actor)
      : undefined);
  if (own?.personId === author.id) return { kind: "accepted", quoted: own };
  if (authorizationUri === null || (isFetched && !known))
    return { kind: "unknown" };
  // The authorization must be on the server of the quoted author.
  if (!isOfServer(authorizationUri, uri)) return { kind: "rejected" };
  const leave = await fetchLeave(deps, authorizationUri);
  if (!leave) return { kind: "unknown" };
  const note = { id: quoting, attributedTo: actor, quote: uri };
  const claimed = { id: uri, attributedTo: leave.attributedTo };
  if (!isQuoteAuthorized(note, claimed, leave)) return { kind: "rejected" };
  const quoted =
    known ?? (await fetchQuoted(deps, uri, (of) => of === leave.attributedTo));
  if (!quoted?.public) return { kind: "unknown" };
  const by = await deps.people.find({ id: quoted.personId });
  return by?.addresses.actorUri === leave.attributedTo
    ? { kind: "accepted", quoted }
    : { kind: "rejected" };
}

/**
 * @throws {ActivityPubError} for a document that is no authorization, or has
 *   another id
 */
async function fetchLeave(
  deps: ReceiveNoteDeps,
  uri: string,
): Promise<QuoteAuthorization | undefined> {
  const object = await fetchObject(deps, uri);
  if (!object) return undefined;
  const leave = readQuoteAuthorization(object);
  if (leave.id !== uri)
    throw new ActivityPubError("not_an_object", "It goes by another id");
  return leave;
}

/**
 * Fetches the quoted post from its own server. Its own quote is not fetched in
 * turn: a chain of quotes could go on for ever.
 * @param isBy checks that its author may authorize the quote; otherwise it is
 *   not needed
 */
async function fetchQuoted(
  deps: ReceiveNoteDeps,
  uri: string,
  isBy: (actor: string) => boolean,
): Promise<Post | undefined> {
  const object = await fetchObject(deps, uri);
  const note = object && readOwnNote(object);
  if (!object || note?.id !== uri || !isBy(note.attributedTo)) return undefined;
  return keepFetched({ ...deps, isFetchedForQuote: true }, object);
}
