import type { KeyObject } from "node:crypto";
import type { People, Person } from "../../../features/people/index.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { createPublicKeys } from "./public-keys.ts";

/** A remote person with a stored key, who may be inactive. */
export type KnownSender = { readonly person: Person; readonly key: KeyObject };

/** @returns undefined for an unknown sender, and for an invalid key */
export type FindSender = (handle: string) => Promise<KnownSender | undefined>;

const MAX_KEPT = 10_000;
/**
 * A diaspora* key is pinned and never changes; other fields may be a minute
 * old.
 */
const KEEP_MS = 60_000;

/** Caches senders: most messages come from few people. */
export function createKnownSenders(deps: {
  readonly people: People;
  readonly clock: Clock;
}): FindSender {
  const keys = createPublicKeys();
  const kept = createLruCache<string, KnownSender>({
    ...{ max: MAX_KEPT, keepMs: KEEP_MS, clock: deps.clock },
  });
  return async (handle) => {
    const known = kept.get(handle);
    if (known) return known;
    const person = await deps.people.find({ handle });
    const key = person && keys.keyOf(person);
    if (!key) return undefined;
    const sender = { person, key };
    kept.set(handle, sender);
    return sender;
  };
}
