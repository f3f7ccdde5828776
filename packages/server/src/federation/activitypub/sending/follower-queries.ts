import type { Reader } from "../../../db/db.ts";
import type { UserId } from "../../../features/ids.ts";

/** The actor id of a remote follower, and whether we know that person over ActivityPub. */
export type FollowerUri = {
  readonly uri: string;
  readonly isActor: boolean;
};

/** All followers of the user with an actor id: each server is sent only its own. */
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
