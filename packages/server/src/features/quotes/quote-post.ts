import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { mayNotify } from "../visibility/index.ts";
import type { Attach, Author, Post, PostKey } from "../posts/index.ts";
import type { QuotesDeps } from "./deps.ts";
import { reachesMore } from "./quote-queries.ts";
import { saveQuote } from "./quote-store.ts";
import type { QuoteState } from "./quote.ts";

/**
 * Checks that a local author may quote a post: it must be visible to the author, and either
 * public or the author's own, with no new recipients. Quoting a reshare quotes its root.
 * @returns the callback that stores the quote with the new post
 * @throws {KithError} `not_found`, `bad_request`
 */
export async function quotePost(
  deps: QuotesDeps,
  author: Author,
  key: PostKey,
): Promise<Attach> {
  const { clock, posts } = deps;
  const quoted = await findQuoted(deps, author, key);
  const state = await stateOf(deps, author, quoted);
  return async (tx, postId) => {
    if (!(await posts.findVisible({ id: quoted.id }, author, tx)))
      throw new KithError("not_found", "What is quoted is gone.");
    if (!quoted.public && (await reachesMore(tx, postId, quoted.id)))
      throw new KithError(
        "bad_request",
        "More people would see the post than may see what it quotes.",
      );
    await saveQuote(tx, {
      postId,
      quotedUri: quoted.uri,
      quotedGuid: quoted.guid,
      state,
      authorizationUri: null,
      changedAt: timestamp(clock.now()),
    });
  };
}

async function findQuoted(
  { posts }: QuotesDeps,
  author: Author,
  key: PostKey,
): Promise<Post> {
  const given = await posts.findVisible(key, author);
  const quoted =
    given?.rootGuid == null
      ? given
      : await posts.findVisible({ guid: given.rootGuid }, author);
  if (!quoted) throw new KithError("not_found", "No such post to quote.");
  if (!quoted.public && quoted.personId !== author.personId)
    throw new KithError(
      "bad_request",
      "Only public posts and your own can be quoted.",
    );
  return quoted;
}

/**
 * Local authors authorize quotes of public posts implicitly. A remote author is asked over
 * ActivityPub; diaspora* has no way to ask.
 */
async function stateOf(
  { db, people }: QuotesDeps,
  author: Author,
  { personId, uri }: Post,
): Promise<QuoteState> {
  if (personId === author.personId) return "accepted";
  const quoted = await people.find({ id: personId });
  if (quoted?.userId == null) return uri === null ? "accepted" : "pending";
  if (!(await mayNotify(db.read, quoted.userId, author.personId)))
    throw new KithError(
      "bad_request",
      "You cannot quote this person at present.",
    );
  return "accepted";
}
