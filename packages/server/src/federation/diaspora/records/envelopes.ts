import {
  buildEntity,
  buildEnvelope,
  receivePrivateUrl,
  receivePublicUrl,
  type Entity,
} from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person, Recipient } from "../../../features/people/index.ts";
import {
  findOwnSeedOrigin,
  guidAtHome,
} from "../../remote-people/proven-origins.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { Rendered } from "../../outbound/outgoing.ts";
import type { DiasporaDeps } from "../deps.ts";
import { hostOf } from "../render/wire-values.ts";

/** A local user who signs an envelope. */
export type Signer = {
  readonly person: Person;
  readonly userId: UserId;
};

/** @returns undefined for a remote person, whose private key is elsewhere */
export function asSigner(person: Person): Signer | undefined {
  const { userId } = person;
  return userId === null ? undefined : { person, userId };
}

/** Writes an entity and seals it in an envelope signed by `signer`. */
export async function sealEntity(
  { accounts }: Pick<DiasporaDeps, "accounts">,
  entity: Entity,
  { person, userId }: Signer,
): Promise<string> {
  return buildEnvelope({
    payloadXml: buildEntity(entity),
    sender: person.handle,
    privateKey: await accounts.getPrivateKey(userId),
  });
}

/** The deliveries of a sealed envelope, of any signer. */
export function dispatchDocument(
  document: string,
  signer: Signer,
  to: { readonly recipients: readonly Recipient[]; readonly isPublic: boolean },
): Rendered {
  return {
    document,
    deliveries: addressTo(to.recipients, signer, to.isPublic),
  };
}

/**
 * The deliveries of an envelope: a public one goes to each server once, a
 * private one to each person.
 */
function addressTo(
  recipients: readonly Recipient[],
  signer: Signer,
  isPublic: boolean,
): Delivery[] {
  const deliveries = new Map<string, Delivery>();
  for (const recipient of recipients) {
    const { seedLocation } = recipient.addresses;
    if (seedLocation === null) continue;
    const url = isPublic
      ? receivePublicUrl(seedLocation)
      : receivePrivateUrl(seedLocation, guidAtHome(recipient));
    const known = deliveries.get(url);
    if (known && known.isHostClaimed !== true) continue;
    deliveries.set(url, {
      protocol: "diaspora",
      url,
      ...placeOf(recipient, url),
      senderUserId: signer.userId,
      recipientId: isPublic ? null : recipient.id,
    });
  }
  return [...deliveries.values()];
}

/**
 * A claimed server has deliveries of its own: failures there must not delay the
 * server's own people.
 */
function placeOf(
  recipient: Recipient,
  url: string,
): Pick<Delivery, "place" | "isHostClaimed"> {
  return findOwnSeedOrigin(recipient) === undefined
    ? { place: `${url} ${hostOf(recipient.handle)}`, isHostClaimed: true }
    : { place: url };
}

/** An envelope with its deliveries; without recipients nothing is signed. */
export async function dispatchEntity(
  deps: Pick<DiasporaDeps, "accounts">,
  entity: Entity,
  signer: Signer,
  to: { readonly recipients: readonly Recipient[]; readonly isPublic: boolean },
): Promise<Rendered[]> {
  const deliveries = addressTo(to.recipients, signer, to.isPublic);
  if (deliveries.length === 0) return [];
  const document = await sealEntity(deps, entity, signer);
  return [{ document, deliveries }];
}
