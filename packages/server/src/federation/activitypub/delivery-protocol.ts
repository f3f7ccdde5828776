import { CONTENT_TYPE, signCavage } from "@kith/activitypub";
import type { Accounts } from "../../features/accounts/index.ts";
import type { UserId } from "../../features/ids.ts";
import { usernameOf, type People } from "../../features/people/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DeliveryProtocol } from "../delivery/deliver.ts";
import type { Uris } from "./uris.ts";

type DeliveryDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  readonly clock: Clock;
  readonly uris: Uris;
};

const MAX_KEY_IDS = 1000;

/** Answers after which trying again is of no use. */
const FINAL = new Set([400, 403, 404, 405, 410, 413, 415, 422, 451, 501]);

/** How an activity is posted: signed by its actor, at the moment of sending. */
export function createActivityPubDelivery({
  accounts,
  people,
  clock,
  uris,
}: DeliveryDeps): DeliveryProtocol {
  const keyIds = new Map<UserId, string>();
  /** A name never changes, so it is looked up once for all that somebody sends. */
  const findKeyId = async (userId: UserId): Promise<string | undefined> => {
    const known = keyIds.get(userId);
    if (known !== undefined) return known;
    const sender = await people.find({ userId });
    if (!sender) return undefined;
    const keyId = uris.key(usernameOf(sender));
    if (keyIds.size >= MAX_KEY_IDS) keyIds.clear();
    keyIds.set(userId, keyId);
    return keyId;
  };
  return {
    isFinal: (status) => FINAL.has(status),
    prepare: async (document, { senderUserId }) => {
      const keyId = await findKeyId(senderUserId);
      if (keyId === undefined) return undefined;
      const privateKey = await accounts.getPrivateKey(senderUserId);
      const body = Buffer.from(document);
      return {
        headers: { "content-type": CONTENT_TYPE },
        body: document,
        sign: (request) =>
          signCavage({
            ...request,
            body,
            keyId,
            privateKey,
            now: clock.now(),
          }),
      };
    },
  };
}
