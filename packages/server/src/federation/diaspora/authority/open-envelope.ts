import {
  verifyEnvelope,
  type UnverifiedEnvelope,
  type VerifiedEnvelope,
} from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import type { InboundResult } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import type { PublicKeys } from "./public-keys.ts";
import { findOrDiscover, refused, waitForPerson } from "./receive-context.ts";
import { hostOf } from "../render/wire-values.ts";

/** An envelope with an authenticated sender. */
type OpenEnvelope = {
  readonly kind: "open";
  readonly sender: Person;
  readonly payloadXml: string;
};

/**
 * Authenticates the sender of an envelope. The sender may be suspended: the
 * caller decides whether to accept the message.
 * @param isVerified the signature was verified before
 * @throws {DiasporaError} if the signature is invalid
 */
export async function openEnvelope(
  deps: DiasporaDeps & { readonly keys: PublicKeys },
  envelope: UnverifiedEnvelope,
  isVerified: boolean,
): Promise<OpenEnvelope | InboundResult> {
  const { claimedSender } = envelope;
  // Local people do not write to each other over the network.
  if (hostOf(claimedSender) === deps.handleHost)
    return refused("sent by somebody here");
  if (!(await deps.hostPolicies.isHostAllowed(hostOf(claimedSender))))
    return refused("its server is blocked");
  const sender = await findOrDiscover(
    deps,
    claimedSender,
    hostOf(claimedSender),
  );
  if (!sender)
    return waitForPerson(deps, claimedSender, "The sender cannot be found");
  if (sender.state === "closed") return refused("the sender is gone");
  if (isVerified)
    return { kind: "open", sender, payloadXml: envelope.payloadXml() };
  const key = deps.keys.keyOf(sender);
  if (!key) return waitForPerson(deps, claimedSender, "The sender has no key");
  const { payloadXml }: VerifiedEnvelope = await verifyEnvelope(envelope, key);
  return { kind: "open", sender, payloadXml };
}
