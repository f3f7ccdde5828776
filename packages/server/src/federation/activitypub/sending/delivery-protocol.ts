import { CONTENT_TYPE, digestHeader } from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Db } from "../../../db/db.ts";
import type { UserId } from "../../../features/ids.ts";
import { usernameOf, type People } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { GuardedFetch } from "../../../lib/http-client/guarded-fetch.ts";
import type { DeliveryProtocol } from "../../delivery/deliver.ts";
import { requestSigned } from "../../peers/request-signed.ts";
import type { Peers } from "../../peers/peers.ts";
import { originOf } from "../authority/origins.ts";
import { createFollowersOn, synchronizationFor } from "./followers-on.ts";
import { signAs } from "../authority/sign-as.ts";
import type { Uris } from "../records/uris.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";

type DeliveryDeps = {
  readonly accounts: Accounts;
  readonly db: Db;
  readonly people: People;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly peers: Peers;
  readonly uris: Uris;
};

const MAX_NAMES = 1000;

/** Statuses that make a retry pointless. */
const FINAL = new Set([400, 403, 404, 405, 410, 413, 415, 422, 451, 501]);
/** Statuses of servers that reject a form of signature. */
const REFUSALS = new Set([400, 401]);

/** A server without our new key may have it within an hour. */
const KEY_PROPAGATION_MS = 3_600_000;

/**
 * How an activity is posted: signed by its actor, at the moment of sending, in
 * the form that the server accepts.
 */
export function createActivityPubDelivery(
  deps: DeliveryDeps,
): DeliveryProtocol {
  const { accounts, clock, peers, uris } = deps;
  const findUsername = createFindUsername(deps);
  const followersOn = createFollowersOn(deps);
  const findKey = async (userId: UserId, url: string) => {
    const username = await findUsername(userId);
    if (username === undefined) return undefined;
    const software = await peers.softwareOf(originOf(url));
    const keyId =
      software === "friendica"
        ? uris.keyForFriendica(username)
        : uris.key(username);
    const privateKey = await accounts.getPrivateKey(userId);
    return { key: { keyId, privateKey }, actor: uris.actor(username) };
  };
  const findServerKey = async () => {
    const { privateKey } = await accounts.getServerKey();
    return { key: { keyId: uris.instanceKey, privateKey }, actor: null };
  };
  return {
    isFinal: (status) => FINAL.has(status),
    retryOnceAfterMs: (status) =>
      status === 401 ? KEY_PROPAGATION_MS : undefined,
    prepare: async (document, { senderUserId, url }) => {
      const signer =
        senderUserId === null
          ? await findServerKey()
          : await findKey(senderUserId, url);
      if (!signer) return undefined;
      const body = document.bytes;
      const signing = { ...signer.key, clock, body, digest: digestOf(body) };
      const said =
        senderUserId === null || signer.actor === null
          ? undefined
          : await synchronizationFor(followersOn, document.text, {
              userId: senderUserId,
              actor: signer.actor,
              server: originOf(url),
            });
      return {
        headers: {
          "content-type": CONTENT_TYPE,
          ...(said === undefined ? {} : { "collection-synchronization": said }),
        },
        body,
        send: (request) =>
          requestSigned(deps, request, signAs(signing), REFUSALS),
      };
    },
  };
}

/** A username never changes, so it is looked up once per sender. */
function createFindUsername({ people }: DeliveryDeps) {
  const names = createLruCache<UserId, string>({ max: MAX_NAMES });
  return async (userId: UserId): Promise<string | undefined> => {
    const known = names.get(userId);
    if (known !== undefined) return known;
    const sender = await people.find({ userId });
    if (!sender) return undefined;
    const name = usernameOf(sender);
    names.set(userId, name);
    return name;
  };
}

const digests = new WeakMap<Uint8Array, string>();

/** One document goes to many inboxes, so its digest is cached with it. */
function digestOf(body: Uint8Array): string {
  const known = digests.get(body);
  if (known !== undefined) return known;
  const digest = digestHeader(body);
  digests.set(body, digest);
  return digest;
}
