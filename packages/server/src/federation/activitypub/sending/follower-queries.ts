import type { Reader } from "../../../db/db.ts";
import type { UserId } from "../../../features/ids.ts";

/** The actor id of a follower elsewhere, and whether it is over ActivityPub that we know it. */
export type FollowerUri = {
  readonly uri: string;
  readonly isActor: boolean;
};

/** All who share with the user and have an actor id: each server learns of its own alone. */
export async function listFollowerUris(
  reader: Reader,
  userId: UserId,
): Promise<FollowerUri[]> {
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin(
      "remote_people as remote",
      "remote.person_id",
      "contacts.person_id",
    )
    .select(["remote.uri", "remote.protocol"])
    .where("contacts.user_id", "=", userId)
    .where("contacts.sharing", "=", true)
    .where("remote.uri", "is not", null)
    .execute();
  return rows.flatMap(({ uri, protocol }) =>
    uri === null ? [] : [{ uri, isActor: protocol === "activitypub" }],
  );
}
