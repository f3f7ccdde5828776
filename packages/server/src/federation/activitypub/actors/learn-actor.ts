import type { Db } from "../../../db/db.ts";
import type { Person } from "../../../features/people/index.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { fetchActor, type FetchOwnDeps } from "../authority/fetch-own.ts";
import { isOfServer } from "../authority/origins.ts";
import {
  findRemoteActor,
  saveRemoteActor,
  type RemoteActorFacts,
} from "./remote-actor-store.ts";

export type LearnActorDeps = FetchOwnDeps & {
  readonly db: Db;
  readonly clock: Clock;
};

const STALE_AFTER_MS = 24 * 3_600_000;

/**
 * The facts in a remote actor's own document, at most a day old if its server
 * answers.
 * @returns undefined if it was never fetched
 * @throws {ActivityPubError} if the document is no actor
 */
export async function learnActor(
  deps: LearnActorDeps,
  { addresses: { actorUri } }: Pick<Person, "addresses">,
): Promise<RemoteActorFacts | undefined> {
  const { db, clock } = deps;
  if (actorUri === null) return undefined;
  const known = await findRemoteActor(db.read, actorUri);
  const staleSince = timestamp(later(clock.now(), -STALE_AFTER_MS));
  if (known && known.fetchedAt > staleSince) return known;
  const actor = await fetchActor(deps, actorUri);
  if (!actor) return known;
  const { type, featured } = actor;
  const facts: RemoteActorFacts = {
    actorUri,
    type,
    featuredUri:
      featured !== undefined && isOfServer(featured, actorUri)
        ? featured
        : null,
    fetchedAt: timestamp(clock.now()),
  };
  await db.transaction((tx) => saveRemoteActor(tx, facts));
  return facts;
}
