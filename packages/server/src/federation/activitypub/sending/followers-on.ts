import { followersDigest, synchronizationHeader } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { UserId } from "../../../features/ids.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { originOf } from "../authority/origins.ts";
import { listFollowerUris, type FollowerUri } from "./follower-queries.ts";

/**
 * One document goes to many servers: its author's followers are read once for
 * all of them.
 */
const KEEP_MS = 30_000;
const MAX_SENDERS = 50;

/** The header about the followers on one server; undefined if there is none. */
type FollowersOn = (
  userId: UserId,
  origin: string,
) => Promise<string | undefined>;

/** Computes digests of a user's followers by server. */
export function createFollowersOn({
  db,
  clock,
}: {
  readonly db: Pick<Db, "read">;
  readonly clock: Clock;
}): FollowersOn {
  const kept = createLruCache<UserId, Promise<Map<string, string>>>({
    ...{ max: MAX_SENDERS, keepMs: KEEP_MS, clock },
  });
  return async (userId, origin) => {
    const known = kept.get(userId);
    if (known) return (await known).get(origin);
    const digests = listFollowerUris(db.read, userId).then(digestEach);
    kept.set(userId, digests);
    // A failed query is retried.
    digests.catch(() => kept.delete(userId));
    return (await digests).get(origin);
  };
}

/**
 * No digest for a server with a follower over diaspora*: it may not count that
 * one, and would end the relation, or miss it.
 */
function digestEach(followers: readonly FollowerUri[]): Map<string, string> {
  const byOrigin = Map.groupBy(followers, ({ uri }) => originOf(uri));
  return new Map(
    [...byOrigin]
      .filter(([, those]) => those.every(({ isActor }) => isActor))
      .map(([origin, those]) => [
        origin,
        followersDigest(those.map(({ uri }) => uri)),
      ]),
  );
}

/** Lists the followers on one server: all of them, since an omitted one would be removed there. */
export function listFollowersOn(
  followers: readonly FollowerUri[],
  origin: string,
): string[] {
  return followers
    .filter(({ uri }) => originOf(uri) === origin)
    .map(({ uri }) => uri);
}

/**
 * The header for deliveries to followers on the receiving server (FEP-8fcf).
 */
export async function synchronizationFor(
  followersOn: FollowersOn,
  text: string,
  to: {
    readonly userId: UserId;
    readonly actor: string;
    readonly server: string;
  },
): Promise<string | undefined> {
  const collectionId = `${to.actor}/followers`;
  if (!text.includes(`"${collectionId}"`)) return undefined;
  const digest = await followersOn(to.userId, to.server);
  if (digest === undefined) return undefined;
  const url = `${to.actor}/followers_synchronization`;
  return synchronizationHeader({ collectionId, url, digest });
}
