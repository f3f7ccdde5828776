import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, PostId } from "../ids.ts";
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

const byPost = prepareQuery<{ postId: PostId }, Row>((reader, value) =>
  selectQuotes(reader).where("post_id", "=", value("postId")).compile(),
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

const byPosts = prepareQuery<{ list: string }, Row>((reader, value) =>
  selectQuotes(reader)
    .where(isListed(reader, "quotes.post_id", value("list")))
    .compile(),
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

/** Does a new post have recipients who may not see the quoted post? */
export async function reachesMore(
  reader: Reader,
  postId: PostId,
  quotedId: PostId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("posts")
    .select("posts.id")
    .where("posts.id", "=", postId)
    .where((eb) =>
      eb.or([
        eb("posts.public", "=", true),
        eb.exists(
          eb
            .selectFrom("post_recipients as given")
            .select("given.person_id")
            .whereRef("given.post_id", "=", "posts.id")
            .whereRef("given.person_id", "<>", "posts.person_id")
            .where("given.person_id", "not in", (inner) =>
              inner
                .selectFrom("post_recipients as had")
                .select("had.person_id")
                .where("had.post_id", "=", quotedId),
            ),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}
