import { encryptEnvelope, MAGIC_ENVELOPE_TYPE } from "@kith/diaspora";
import type { DeliveryProtocol } from "../delivery/deliver.ts";
import type { DiasporaDeps } from "./deps.ts";
import { createPublicKeys } from "./public-keys.ts";

/** Makes envelopes ready to be sent. Those for one person are encrypted only now, so that one stored text serves all. */
export function createDiasporaDelivery({
  people,
}: Pick<DiasporaDeps, "people">): DeliveryProtocol {
  const keys = createPublicKeys();
  return {
    prepare: async (document, { recipientId }) => {
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
          headers: { "content-type": "application/json" },
          body: encryptEnvelope(document.text, key),
        }
      );
    },
    // Pods answer 4xx and 5xx alike while they are being restarted or moved.
    isFinal: () => false,
  };
}
