import type { Reader } from "../../../db/db.ts";
import type { PersonId, PostId } from "../../../features/ids.ts";
import type { RetractionDetails } from "../../../features/retractions/index.ts";

/** The post below which a person's comment or like was, by its ActivityPub id, until it was taken back. */
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
