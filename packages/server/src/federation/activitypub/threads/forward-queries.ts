import type { Reader } from "../../../db/db.ts";
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
