import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** Fields of a remote actor that only ActivityPub uses. */
export type RemoteActorFacts = {
  readonly actorUri: string;
  /** Person, Service, Group, Organization or Application. */
  readonly type: string;
  /** The collection of pinned posts; on the actor's own origin. */
  readonly featuredUri: string | null;
  readonly fetchedAt: Timestamp;
};

export async function saveRemoteActor(
  tx: Tx,
  { actorUri, type, featuredUri, fetchedAt }: RemoteActorFacts,
): Promise<void> {
  const columns = { type, featured_uri: featuredUri, fetched_at: fetchedAt };
  await tx
    .insertInto("remote_actors")
    .values({ actor_uri: actorUri, ...columns })
    .onConflict((conflict) => conflict.column("actor_uri").doUpdateSet(columns))
    .execute();
}

export async function deleteRemoteActors(
  tx: Tx,
  uris: readonly string[],
): Promise<void> {
  if (uris.length === 0) return;
  await tx.deleteFrom("remote_actors").where("actor_uri", "in", uris).execute();
}

export async function findRemoteActor(
  reader: Reader,
  actorUri: string,
): Promise<RemoteActorFacts | undefined> {
  const row = await reader
    .selectFrom("remote_actors")
    .selectAll()
    .where("actor_uri", "=", actorUri)
    .executeTakeFirst();
  return (
    row && {
      actorUri,
      type: row.type,
      featuredUri: row.featured_uri,
      fetchedAt: row.fetched_at,
    }
  );
}
