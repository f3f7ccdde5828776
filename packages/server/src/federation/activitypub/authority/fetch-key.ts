import {
  ActivityPubError,
  importPublicKey,
  resolveKey,
  type RemoteActor,
} from "@kith/activitypub";
import type { KeyObject } from "node:crypto";
import type { Person } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import { KithError } from "../../../lib/errors.ts";
import type { FetchOwnDeps } from "./fetch-own.ts";

export type FetchKeyDeps = FetchOwnDeps & {
  readonly clock: Clock;
  readonly discoverActor: (
    uri: string,
    options?: {
      refresh?: boolean;
      actor?: RemoteActor | undefined;
      throwsIfSilent?: boolean;
    },
  ) => Promise<Person | undefined>;
};

/** A key and its owner. */
export type KnownKey = {
  readonly owner: Person;
  readonly key: KeyObject;
  readonly knownAtMs: number;
};

/**
 * Fetches a key, of HTTP or document signatures, with the owner that confirms
 * it.
 * @throws {KithError} `unavailable`, or `unauthorized` if it has no owner
 * @throws {ActivityPubError} if the response is invalid
 */
export type FetchKey = (keyId: string) => Promise<KnownKey>;

/** How long a refused key is cached as such. */
const REFUSED_MS = 5 * 60_000;
/** A server may be restarting, and its senders retry. */
const UNREACHABLE_MS = 30_000;
const MAX_FAILURES = 10_000;

type Failure = KithError | ActivityPubError;

/**
 * Anyone can name any key in an unsigned message. However many name a key that
 * is unavailable, it is fetched twice a minute at most.
 */
export function createFetchKey(deps: FetchKeyDeps): FetchKey {
  const failures = createLruCache<string, Failure>({
    ...{ max: MAX_FAILURES, keepMs: REFUSED_MS, clock: deps.clock },
  });
  const running = new Map<string, Promise<KnownKey>>();

  function remember(keyId: string, error: unknown): void {
    if (!(error instanceof KithError || error instanceof ActivityPubError))
      return;
    const isBack = error instanceof KithError && error.code === "unavailable";
    failures.set(keyId, error, isBack ? UNREACHABLE_MS : REFUSED_MS);
  }

  return async (keyId) => {
    const failed = failures.get(keyId);
    if (failed) throw failed;
    const current = running.get(keyId);
    if (current) return current;
    const fetching = fetchKey(deps, keyId)
      .catch((error: unknown) => {
        remember(keyId, error);
        throw error;
      })
      .finally(() => running.delete(keyId));
    running.set(keyId, fetching);
    return fetching;
  };
}

async function fetchKey(
  { fetchDocument, jsonLd, discoverActor, clock }: FetchKeyDeps,
  keyId: string,
): Promise<KnownKey> {
  const resolution = await resolveKey({ keyId, fetchDocument, jsonLd });
  if (resolution.kind === "unavailable" && resolution.reason === "unreachable")
    throw new KithError("unavailable", "The key cannot be fetched.");
  if (resolution.kind !== "resolved")
    throw new KithError("unauthorized", `The key: ${resolution.reason}.`);
  const { owner, pem } = resolution.key;
  const { actor } = resolution;
  // The answer must not be a refusal while a server is down: its sender would
  // take it as final.
  const person = await discoverActor(owner, {
    refresh: true,
    actor,
    throwsIfSilent: true,
  });
  // A suspended person is not refreshed, nor are the keys.
  if (person?.addresses.actorUri !== owner || person.state !== "active")
    throw new KithError("unauthorized", "The key's owner cannot be confirmed.");
  return {
    owner: person,
    key: importPublicKey(pem),
    knownAtMs: clock.now().getTime(),
  };
}
