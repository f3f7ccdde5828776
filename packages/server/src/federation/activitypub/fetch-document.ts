import {
  CONTENT_TYPE,
  signCavage,
  type FetchDocument,
} from "@kith/activitypub";
import type { KeyObject } from "node:crypto";
import type { Accounts } from "../../features/accounts/index.ts";
import type { UserId } from "../../features/ids.ts";
import { usernameOf, type Person } from "../../features/people/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { FetchRefused, type GuardedFetch } from "../../lib/guarded-fetch.ts";
import type { Uris } from "./uris.ts";

type FetchDeps = {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly uris: Uris;
};

type FindSigner = () => Promise<{ keyId: string; privateKey: KeyObject }>;

const MAX_BYTES = 1024 * 1024;
const ACCEPT = `${CONTENT_TYPE}, application/activity+json`;

/**
 * Fetches ActivityPub documents, signed by the server's own actor: some servers
 * answer nobody else. What lives here is never asked for over the network.
 */
export function createFetchDocument(
  { accounts, clock, fetch, uris }: FetchDeps,
  findSigner: FindSigner = async () => ({
    keyId: uris.instanceKey,
    privateKey: (await accounts.getServerKey()).privateKey,
  }),
): FetchDocument {
  return async (url) => {
    if (uris.isLocal(url)) return undefined;
    const { keyId, privateKey } = await findSigner();
    try {
      const answer = await fetch.request({
        method: "GET",
        url,
        headers: { accept: ACCEPT },
        maxBytes: MAX_BYTES,
        sign: (request) =>
          signCavage({
            ...request,
            keyId,
            privateKey,
            now: clock.now(),
          }),
      });
      const contentType = answer.headers["content-type"];
      return {
        status: answer.status,
        ...(contentType === undefined ? {} : { contentType }),
        finalUrl: answer.url,
        body: answer.body,
      };
    } catch (error) {
      if (error instanceof FetchRefused) return undefined;
      throw error;
    }
  };
}

/** Fetches in the name of somebody here what was given to that person. */
export function createFetchAs(
  deps: FetchDeps,
): (person: Person, userId: UserId) => FetchDocument {
  return (person, userId) =>
    createFetchDocument(deps, async () => ({
      keyId: deps.uris.key(usernameOf(person)),
      privateKey: await deps.accounts.getPrivateKey(userId),
    }));
}
