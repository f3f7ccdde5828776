import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { QuotablePeople } from "../../db/schema/columns/stored-names.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import type { Post, PostReach } from "../posts/index.ts";
import type { Quote } from "./quote.ts";

const selectQuotes = (reader: Reader) =>
  reader.selectFrom("quotes").selectAll("quotes");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectQuotes>["executeTakeFirstOrThrow"]>
>;

function toQuote(row: Row): Quote {
  return {
    postId: row.post_id,
    quotedUri: row.quoted_uri,
    quotedGuid: row.quoted_guid,
    state: row.state,
    authorizationUri: row.authorization_uri,
    changedAt: row.changed_at,
  };
}

export async function findQuote(
  reader: Reader,
  postId: PostId,
): Promise<Quote | undefined> {
  const [row] = await byPost(reader, { postId });
  return row && toQuote(row);
}

const byPost = prepareQuery<{ postId: PostId }, Row>(
  (reader, value) =>
    selectQuotes(reader).where("post_id", "=", value("postId")).compile(),
  { types: { postId: "bigint" } },
);

/** The quotes of these posts. */
export async function listQuotes(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Quote[]> {
  if (postIds.length === 0) return [];
  const rows = await byPosts(reader, { list: JSON.stringify(postIds) });
  return rows.map(toQuote);
}

const byPosts = prepareQuery<{ list: string }, Row>(
  (reader, value) =>
    selectQuotes(reader)
      .where(isListed(reader, "quotes.post_id", value("list")))
      .compile(),
  { types: { list: "text" } },
);

/**
 * The quotes that name this authorization. More than one if a post names the authorization
 * of another.
 */
export async function listByAuthorization(
  reader: Reader,
  uri: string,
  limit: number,
): Promise<Quote[]> {
  const rows = await selectQuotes(reader)
    .where("authorization_uri", "=", uri)
    .orderBy("post_id")
    .limit(limit)
    .execute();
  return rows.map(toQuote);
}

/** Some posts by one person that quote another one, with the quote accepted or pending. */
export async function listQuotingIds(
  reader: Reader,
  { by, of }: { readonly by: PersonId; readonly of: PersonId },
  limit: number,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("quotes")
    .innerJoin("posts", "posts.id", "quotes.post_id")
    .innerJoin("posts as quoted", "quoted.guid", "quotes.quoted_guid")
    .select("quotes.post_id")
    .where("posts.person_id", "=", by)
    .where("quoted.person_id", "=", of)
    .where("quotes.state", "in", ["pending", "accepted"])
    .orderBy("quotes.post_id")
    .limit(limit)
    .execute();
  return rows.map(({ post_id: id }) => id);
}

/** A post by somebody here that shows the quote of another one. */
export type QuoteHere = {
  readonly postId: PostId;
  readonly guid: string;
  readonly personId: PersonId;
  readonly userId: UserId;
};

/** Lists the posts by people here that show a quote of this post, the oldest first. */
export async function listQuotesHere(
  reader: Reader,
  quotedGuid: string,
): Promise<QuoteHere[]> {
  const rows = await reader
    .selectFrom("quotes")
    .innerJoin("posts", "posts.id", "quotes.post_id")
    .innerJoin("people", "people.id", "posts.person_id")
    .select(["posts.id", "posts.guid", "posts.person_id", "people.user_id"])
    .where("quotes.quoted_guid", "=", quotedGuid)
    .where("quotes.state", "=", "accepted")
    .orderBy("posts.id")
    .execute();
  return rows.flatMap((row) =>
    row.user_id === null
      ? []
      : {
          ...{ postId: row.id, guid: row.guid, personId: row.person_id },
          userId: row.user_id,
        },
  );
}

/** Does a new post have recipients who may not see the limited post that it quotes? */
export async function reachesMore(
  reader: Reader,
  { isPublic, recipients }: PostReach,
  { id, personId }: Pick<Post, "id" | "personId">,
): Promise<boolean> {
  if (isPublic) return true;
  const rows = await reader
    .selectFrom("post_recipients")
    .select("person_id")
    .where("post_id", "=", id)
    .execute();
  const had = new Set([personId, ...rows.map((row) => row.person_id)]);
  return recipients.some((one) => !had.has(one));
}

/** Does the policy of a local author's post let this person quote it? */
export async function isQuotableBy(
  reader: Reader,
  authorUserId: UserId,
  policy: QuotablePeople,
  personId: PersonId,
): Promise<boolean> {
  if (policy !== "followers") return policy === "everyone";
  const row = await reader
    .selectFrom("contacts")
    .select("id")
    .where("user_id", "=", authorUserId)
    .where("person_id", "=", personId)
    .where("sharing", "=", true)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Was the post's quote of a local post revoked? That stays: an edit of the quoting post, or
 * another request, must not bring back what the quoted author took away.
 */
export async function isRevokedHere(
  reader: Reader,
  postId: PostId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("quotes")
    .innerJoin("posts as quoted", "quoted.guid", "quotes.quoted_guid")
    .innerJoin("people", "people.id", "quoted.person_id")
    .select("quotes.post_id")
    .where("quotes.post_id", "=", postId)
    .where("quotes.state", "=", "revoked")
    .where("people.user_id", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Did the author of a local post revoke its quote by the remote post with this id? */
export async function isRevoked(
  reader: Reader,
  quotedGuid: string,
  quotingUri: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom("revoked_quotes")
    .innerJoin("posts as quoted", "quoted.id", "revoked_quotes.quoted_post_id")
    .select("revoked_quotes.quoted_post_id")
    .where("quoted.guid", "=", quotedGuid)
    .where("revoked_quotes.quoting_uri", "=", quotingUri)
    .executeTakeFirst();
  return row !== undefined;
}
