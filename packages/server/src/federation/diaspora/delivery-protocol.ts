import {
  encryptEnvelope,
  MAGIC_ENVELOPE_TYPE,
  receivePrivateUrl,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import { guidAtHome } from "../remote-people/proven-origins.ts";
import type { DeliveryProtocol } from "../delivery/deliver.ts";
import type { DiasporaDeps } from "./deps.ts";
import { createPublicKeys } from "./authority/public-keys.ts";

/**
 * Prepares envelopes for sending. An envelope for one person is encrypted only now, so that one
 * stored text serves all recipients.
 */
export function createDiasporaDelivery({
  people,
}: Pick<DiasporaDeps, "people">): DeliveryProtocol {
  const keys = createPublicKeys();
  return {
    prepare: async (document, { recipientId, url }) => {
      if (recipientId === null)
        return {
          headers: { "content-type": MAGIC_ENVELOPE_TYPE },
          body: document.bytes,
        };
      const recipient = await people.find({ id: recipientId });
      // A person who has moved is still notified of that.
      const isThere =
        recipient?.state === "active" || recipient?.movedToId != null;
      if (!recipient || !isThere) return undefined;
      const key = keys.keyOf(recipient);
      return (
        key && {
          url: findAddress(recipient, url),
          headers: { "content-type": "application/json" },
          body: encryptEnvelope(document.text, key),
        }
      );
    },
    // Pods answer 4xx and 5xx alike while they are being restarted or moved.
    isFinal: () => false,
  };
}

/**
 * The current inbox for a person's own messages: the Guid may have been learnt since this delivery
 * was enqueued. Another server has another lane, so a delivery is never redirected to one.
 */
function findAddress(recipient: Person, url: string): string {
  const { seedLocation } = recipient.addresses;
  if (seedLocation === null) return url;
  const isSameServer = new URL(seedLocation).origin === new URL(url).origin;
  return isSameServer
    ? receivePrivateUrl(seedLocation, guidAtHome(recipient))
    : url;
}
