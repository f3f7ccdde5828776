import {
  encryptEnvelope,
  MAGIC_ENVELOPE_TYPE,
  receivePrivateUrl,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import { guidAtHome } from "../remote-people/proven-origins.ts";
import type { DeliveryProtocol } from "../delivery/deliver.ts";
import type { DiasporaDeps } from "./deps.ts";
import { createPublicKeys } from "./fetch/public-keys.ts";

/** Makes envelopes ready to be sent. Those for one person are encrypted only now, so that one stored text serves all. */
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
      // Whoever has moved is still told so itself.
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
 * Where somebody's own messages go to now: its Guid may have been learnt since this one
 * was put in. On another server there is another lane, so that it stays where it is.
 */
function findAddress(recipient: Person, url: string): string {
  const { seedLocation } = recipient.addresses;
  if (seedLocation === null) return url;
  const isSameServer = new URL(seedLocation).origin === new URL(url).origin;
  return isSameServer
    ? receivePrivateUrl(seedLocation, guidAtHome(recipient))
    : url;
}
