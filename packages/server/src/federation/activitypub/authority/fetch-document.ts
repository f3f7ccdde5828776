import { CONTENT_TYPE, type FetchDocument } from "@kith/activitypub";
import type { KeyObject } from "node:crypto";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { UserId } from "../../../features/ids.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../../lib/http-client/guarded-fetch.ts";
import type { BlockedHosts } from "./blocked-hosts.ts";
import { originOf } from "./origins.ts";
import { requestSigned } from "../../peers/request-signed.ts";
import type { Peers } from "../../peers/peers.ts";
import { signAs } from "./sign-as.ts";
import type { Uris } from "../records/uris.ts";

type FetchDeps = {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly peers: Peers;
  readonly blockedHosts: BlockedHosts;
  readonly uris: Uris;
};

type FindSigner = () => Promise<{ keyId: string; privateKey: KeyObject }>;

const MAX_BYTES = 1024 * 1024;
/**
 * The only status that may refer to the signature: hidden documents are
 * answered otherwise.
 */
const REFUSALS = new Set([401]);
const ACCEPT = `${CONTENT_TYPE}, application/activity+json`;

/**
 * Fetches ActivityPub documents, signed by the server's own actor: some servers
 * require it. Local ids are never fetched, and blocked servers are not
 * contacted.
 */
export function createFetchDocument(
  deps: FetchDeps,
  findSigner: FindSigner = async () => ({
    keyId: deps.uris.instanceKey,
    privateKey: (await deps.accounts.getServerKey()).privateKey,
  }),
): FetchDocument {
  const { blockedHosts, clock, uris } = deps;
  return async (url) => {
    if (uris.isLocal(url) || (await blockedHosts.isBlocked(originOf(url))))
      return undefined;
    const signer = { ...(await findSigner()), clock };
    const request = {
      method: "GET",
      url,
      headers: { accept: ACCEPT },
      maxBytes: MAX_BYTES,
    } as const;
    try {
      const answer = await requestSigned(
        deps,
        request,
        signAs(signer),
        REFUSALS,
      );
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

/** Fetches limited documents in the name of a local recipient. */
export function createFetchAs(
  deps: FetchDeps,
): (person: Person, userId: UserId) => FetchDocument {
  return (person, userId) =>
    createFetchDocument(deps, async () => ({
      keyId: deps.uris.key(usernameOf(person)),
      privateKey: await deps.accounts.getPrivateKey(userId),
    }));
}
