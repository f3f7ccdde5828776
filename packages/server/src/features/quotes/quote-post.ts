import type { Reader, Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { mayNotify } from "../visibility/index.ts";
import type { PostId } from "../ids.ts";
import type {
  Attach,
  Author,
  Post,
  PostKey,
  PostReach,
} from "../posts/index.ts";
import type { QuotesDeps } from "./deps.ts";
import { isQuotableBy, reachesMore } from "./quote-queries.ts";
import { saveQuote } from "./quote-store.ts";
import type { QuoteState } from "./quote.ts";

/**
 * Builds the callbacks that check a quote and store it with the new post, in the transaction of
 * that. The post must be visible to the author, and either public and quotable by the author, or
 * the author's own, with no new recipients. Quoting a reshare quotes its root.
 * @returns callbacks that throw `not_found` or `bad_request`; the check writes nothing
 */
export function quotePost(
  deps: QuotesDeps,
  author: Author,
  key: PostKey,
): Attach {
  // A transaction that is repeated checks again.
  let found: CheckedQuote | undefined;
  const check = async (tx: Tx, reach: PostReach) => {
    found = await checkQuote(deps, tx, author, key);
    const { quoted } = found;
    if (!quoted.public && (await reachesMore(tx, reach, quoted)))
      throw new KithError(
        "bad_request",
        "More people would see the post than may see what it quotes.",
      );
  };
  const attach = async (tx: Tx, postId: PostId) => {
    if (!found) throw new Error("The quote was not checked");
    const { quoted, state } = found;
    await saveQuote(tx, {
      postId,
      quotedUri: quoted.uri,
      quotedGuid: quoted.guid,
      state,
      authorizationUri: null,
      changedAt: timestamp(deps.clock.now()),
    });
  };
  return Object.assign(attach, { check });
}

type CheckedQuote = { readonly quoted: Post; readonly state: QuoteState };

/**
 * Finds the post that a local author wants to quote, and how its quote begins.
 * @throws {KithError} `not_found`, `bad_request`
 */
export async function checkQuote(
  deps: QuotesDeps,
  reader: Reader,
  author: Author,
  key: PostKey,
): Promise<CheckedQuote> {
  const quoted = await findQuoted(deps, reader, author, key);
  return { quoted, state: await stateOf(deps, reader, author, quoted) };
}

async function findQuoted(
  { posts }: QuotesDeps,
  reader: Reader,
  author: Author,
  key: PostKey,
): Promise<Post> {
  const given = await posts.findVisible(key, author, reader);
  const quoted =
    given?.rootGuid == null
      ? given
      : await posts.findVisible({ guid: given.rootGuid }, author, reader);
  if (!quoted) throw new KithError("not_found", "No such post to quote.");
  if (!quoted.public && quoted.personId !== author.personId)
    throw new KithError(
      "bad_request",
      "Only public posts and your own can be quoted.",
    );
  return quoted;
}

/**
 * A local author authorizes the quotes that the policy of the post allows implicitly. A remote
 * author is asked over ActivityPub; diaspora* has no way to ask.
 */
async function stateOf(
  { people, canAsk }: QuotesDeps,
  reader: Reader,
  author: Author,
  { personId, uri, quotableBy }: Post,
): Promise<QuoteState> {
  if (personId === author.personId) return "accepted";
  const quoted = await people.find({ id: personId }, reader);
  const isHere = quoted?.userId != null;
  // Whether the author follows a remote person is for that person's server to say.
  const isAllowed = isHere
    ? await isQuotableBy(reader, quoted.userId, quotableBy, author.personId)
    : quotableBy !== "nobody";
  if (!isAllowed)
    throw new KithError(
      "bad_request",
      "The author of this post does not let you quote it.",
    );
  if (!isHere) return uri !== null && canAsk ? "pending" : "accepted";
  if (!(await mayNotify(reader, quoted.userId, author.personId)))
    throw new KithError(
      "bad_request",
      "You cannot quote this person at present.",
    );
  return "accepted";
}
