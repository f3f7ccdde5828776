import { diasporaLinksIn } from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Post } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import {
  causeOf,
  findOrDiscover,
  type Arrival,
  type Cause,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { hostOf } from "../render/wire-values.ts";

type Link = { readonly author: string; readonly guid: string };
type Links = { readonly links: readonly Link[]; readonly cause: Cause };

/** The job that fetches the posts that a remote text links to. */
export const FETCH_LINKED = jobKind<Links>("fetch-linked", { maxAttempts: 3 });

/** Further links are ignored (protocol section 19.10). */
const MAX_LINKS = 5;
/**
 * A received post, and its direct reference: following further links would not
 * end.
 */
const MAX_DEPTH = 1;

/**
 * Enqueues fetching the posts that a stored text links to. Best effort: the
 * text is stored in any case.
 */
export async function followLinks(
  context: ReceiveContext,
  text: string,
  arrival: Arrival,
): Promise<void> {
  if (arrival.depth > MAX_DEPTH || !text.includes("diaspora://")) return;
  const links = diasporaLinksIn(text)
    .slice(0, MAX_LINKS)
    .filter(({ type }) => type === "post")
    .map(({ author, guid }) => ({ author, guid }));
  if (links.length === 0) return;
  const { db, jobs } = context;
  const cause = causeOf(arrival);
  await db.transaction((tx) =>
    jobs.enqueue(tx, FETCH_LINKED, { links, cause }),
  );
}

export function createFetchLinked(context: ReceiveContext): JobHandler<Links> {
  return async ({ links, cause }, { signal }) => {
    for (const link of links) {
      if (signal.aborted) break;
      await fetchLinked(context, link, cause);
    }
    return DONE;
  };
}

/**
 * Fetches a post that a local user wants to see.
 * @returns the post, if it is stored now and by the named author
 */
export async function fetchForUser(
  context: ReceiveContext,
  link: Link,
  userId: UserId,
): Promise<Post | undefined> {
  await fetchLinked(context, link, { userId, personId: null });
  return findLinked(context, link);
}

async function fetchLinked(
  context: ReceiveContext,
  { author, guid }: Link,
  cause: Cause,
): Promise<void> {
  const { handleHost, posts, fetchRemote } = context;
  // A local post is either stored or deleted.
  if (hostOf(author) === handleHost || (await posts.find({ guid }))) return;
  const source = await sourceOf(context, cause);
  const from = await findOrDiscover(context, author, source);
  if (from?.state !== "active") return;
  const depth = MAX_DEPTH;
  await fetchRemote({ type: "post", guid, from, depth, author, cause });
}

/** The person counted as the cause of a look-up. */
async function sourceOf(
  { people }: ReceiveContext,
  { userId, personId }: Cause,
): Promise<string> {
  const person =
    personId === null ? undefined : await people.find({ id: personId });
  return person ? hostOf(person.handle) : `user:${userId ?? ""}`;
}

async function findLinked(
  { posts, people }: ReceiveContext,
  { author, guid }: Link,
): Promise<Post | undefined> {
  const post = await posts.find({ guid });
  const by = post && (await people.find({ id: post.personId }));
  return by?.handle === author ? post : undefined;
}
