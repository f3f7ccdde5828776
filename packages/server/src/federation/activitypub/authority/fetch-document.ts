import { CONTENT_TYPE, type FetchDocument } from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Clock } from "../../../lib/clock.ts";
import { FetchRefused, type GuardedFetch } from "../../../lib/guarded-fetch.ts";
import type { BlockedHosts } from "./blocked-hosts.ts";
import { originOf } from "./origins.ts";
import { knock } from "../../peers/knock.ts";
import type { Peers } from "../../peers/peers.ts";
import { signAs } from "../sign-as.ts";
import type { Uris } from "../uris.ts";

type FetchDeps = {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly peers: Peers;
  readonly blockedHosts: BlockedHosts;
  readonly uris: Uris;
};

const MAX_BYTES = 1024 * 1024;
/** Only this may mean the signature: a document that is kept from us answers otherwise. */
const REFUSALS = new Set([401]);
const ACCEPT = `${CONTENT_TYPE}, application/activity+json`;

/**
 * Fetches ActivityPub documents, signed by the server's own actor: some servers
 * answer nobody else. What lives here is never asked for over the network, and
 * servers that are shut out are not asked at all.
 */
export function createFetchDocument(deps: FetchDeps): FetchDocument {
  const { accounts, blockedHosts, clock, uris } = deps;
  return async (url) => {
    if (uris.isLocal(url) || (await blockedHosts.isBlocked(originOf(url))))
      return undefined;
    const { privateKey } = await accounts.getServerKey();
    const signer = { keyId: uris.instanceKey, privateKey, clock };
    const request = {
      method: "GET",
      url,
      headers: { accept: ACCEPT },
      maxBytes: MAX_BYTES,
    } as const;
    try {
      const answer = await knock(deps, request, signAs(signer), REFUSALS);
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
