import { CONTENT_TYPE, signCavage } from "@kith/activitypub";
import type { Accounts } from "../../features/accounts/index.ts";
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

/** Answers after which trying again is of no use. */
const FINAL = new Set([400, 403, 404, 405, 410, 413, 415, 422, 451, 501]);

/** How an activity is posted: signed by its actor, at the moment of sending. */
export function createActivityPubDelivery({
  accounts,
  people,
  clock,
  uris,
}: DeliveryDeps): DeliveryProtocol {
  return {
    isFinal: (status) => FINAL.has(status),
    prepare: async (document, { senderUserId }) => {
      const sender = await people.find({ userId: senderUserId });
      if (!sender) return undefined;
      const privateKey = await accounts.getPrivateKey(senderUserId);
      const body = Buffer.from(document);
      return {
        headers: { "content-type": CONTENT_TYPE },
        body: document,
        sign: (request) =>
          signCavage({
            ...request,
            body,
            keyId: uris.key(usernameOf(sender)),
            privateKey,
            now: clock.now(),
          }),
      };
    },
  };
}
