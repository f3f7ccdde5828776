import type { Reader } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId, PostId } from "../../../features/ids.ts";
import type { RetractionDetails } from "../../../features/retractions/index.ts";

/** The post of a person's former comment or like, by its ActivityPub id. */
export async function findPostOfRetracted(
  reader: Reader,
  uri: string,
  personId: PersonId,
): Promise<PostId | undefined> {
  const row = await reader
    .selectFrom("tombstones")
    .select("details")
    .where("uri", "=", uri)
    .where("person_id", "=", personId)
    .where("kind", "in", ["Comment", "Like"])
    .limit(1)
    .executeTakeFirst();
  const details = row && (JSON.parse(row.details) as RetractionDetails);
  return details?.kind === "Comment" || details?.kind === "Like"
    ? details.postId
    : undefined;
}

const findSharing = prepareQuery<{ guid: string }, { person_id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("posts")
      .innerJoin("people", "people.id", "posts.person_id")
      .select("posts.person_id")
      .where("posts.root_guid", "=", value("guid"))
      .where("people.user_id", "is not", null)
      .unionAll(
        reader
          .selectFrom("quotes")
          .innerJoin("posts", "posts.id", "quotes.post_id")
          .innerJoin("people", "people.id", "posts.person_id")
          .select("posts.person_id")
          .where("quotes.quoted_guid", "=", value("guid"))
          .where("people.user_id", "is not", null),
      )
      .limit(1)
      .compile(),
);

/** Does somebody here reshare or quote the post? */
export async function isSharedHere(
  reader: Reader,
  guid: string,
): Promise<boolean> {
  return (await findSharing(reader, { guid })).length > 0;
}
