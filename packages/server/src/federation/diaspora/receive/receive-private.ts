import { createHash } from "node:crypto";
import { isEncryptedFor, isGuid } from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { SignatureFailureLimiter } from "../../inbound/signature-failure-limiter.ts";
import type { DiasporaDeps } from "../deps.ts";
import { createPublicKeys } from "../authority/public-keys.ts";

type ReceivePrivateDeps = { readonly unproven: SignatureFailureLimiter } & Pick<
  DiasporaDeps,
  "accounts" | "people" | "inbound"
>;

/**
 * Accepts one encrypted message. @param network of the sender, by which limits
 * count
 */
export type ReceivePrivate = (
  guid: string,
  body: Buffer | undefined,
  network: string,
) => Promise<void>;

/**
 * Stores encrypted messages. Decrypting is slow and might leak something about
 * the key, so the worker does it, and until then the senders are unknown:
 * waiting messages are limited, and checked as far as possible without the key.
 * Malformed messages are dropped, without a different response.
 */
export function createReceivePrivate(deps: ReceivePrivateDeps): ReceivePrivate {
  const { people, inbound } = deps;
  const keys = createPublicKeys();
  return async (guid, body, network) => {
    const proving = await deps.unproven.beginEncrypted(network, () =>
      inbound.isKnownNetwork(network),
    );
    const person = isGuid(guid) ? await people.find({ guid }) : undefined;
    const recipientUserId = person && (await findReader(deps, person));
    const key = person && keys.keyOf(person);
    if (recipientUserId === undefined || !key) {
      proving.fail();
      throw new KithError("not_found", "Nobody with that Guid.");
    }
    if (!body || !isEncryptedFor(body, key)) return proving.fail();
    // Encryption makes each message unique, so equal bytes are a retry.
    const digest = createHash("sha256").update(body).digest("hex");
    await inbound.storeUnproven(
      { protocol: "diaspora", messageId: `${guid}:${digest}`, body },
      { network, recipientUserId },
    );
  };
}

/** A person who has left can decrypt for a while: the sender is notified. */
async function findReader(
  { accounts }: Pick<ReceivePrivateDeps, "accounts">,
  { state, userId }: Person,
): Promise<UserId | undefined> {
  if (userId === null || state === "shut_out") return undefined;
  const canRead = state === "active" || (await accounts.hasKeys(userId));
  return canRead ? userId : undefined;
}
