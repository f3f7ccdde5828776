import {
  CONTENT_TYPE,
  signCavage,
  type FetchDocument,
} from "@kith/activitypub";
import type { Accounts } from "../../features/accounts/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { FetchRefused, type GuardedFetch } from "../../lib/guarded-fetch.ts";
import type { Uris } from "./uris.ts";

type FetchDeps = {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly uris: Uris;
};

const MAX_BYTES = 1024 * 1024;
const ACCEPT = `${CONTENT_TYPE}, application/activity+json`;

/**
 * Fetches ActivityPub documents, signed by the server's own actor: some servers
 * answer nobody else. What lives here is never asked for over the network.
 */
export function createFetchDocument({
  accounts,
  clock,
  fetch,
  uris,
}: FetchDeps): FetchDocument {
  return async (url) => {
    if (uris.isLocal(url)) return undefined;
    const { privateKey } = await accounts.getServerKey();
    try {
      const answer = await fetch.request({
        method: "GET",
        url,
        headers: { accept: ACCEPT },
        maxBytes: MAX_BYTES,
        sign: (request) =>
          signCavage({
            ...request,
            keyId: uris.instanceKey,
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
