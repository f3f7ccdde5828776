import { createHash } from "node:crypto";
import { isEncryptedFor, isGuid } from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { SignatureFailureLimiter } from "../../inbound/signature-failure-limiter.ts";
import type { DiasporaDeps } from "../deps.ts";
import { createPublicKeys } from "../fetch/public-keys.ts";

type ReceivePrivateDeps = { readonly unproven: SignatureFailureLimiter } & Pick<
  DiasporaDeps,
  "accounts" | "people" | "inbound"
>;

/** Takes one encrypted message. @param network where it comes from, as limits count it */
export type ReceivePrivate = (
  guid: string,
  body: Buffer | undefined,
  network: string,
) => Promise<void>;

/**
 * Stores encrypted messages. Decrypting takes long and may tell something about the
 * key, so it is done later, and until then nobody knows who has sent them: what
 * waits is bounded, and what can be seen without the key is looked at first. What
 * cannot be such a message is dropped, and the answer tells nobody.
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
    // Encryption makes each message unlike any other, so equal bytes are one message sent again.
    const digest = createHash("sha256").update(body).digest("hex");
    await inbound.storeUnproven(
      { protocol: "diaspora", messageId: `${guid}:${digest}`, body },
      { network, recipientUserId },
    );
  };
}

/** Who has left can read for a while what it still gets: the sender is told. */
async function findReader(
  { accounts }: Pick<ReceivePrivateDeps, "accounts">,
  { state, userId }: Person,
): Promise<UserId | undefined> {
  if (userId === null || state === "shut_out") return undefined;
  const canRead = state === "active" || (await accounts.hasKeys(userId));
  return canRead ? userId : undefined;
}
