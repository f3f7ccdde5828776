import {
  buildEntity,
  buildEnvelope,
  receivePrivateUrl,
  receivePublicUrl,
  type Entity,
} from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import {
  findOwnSeedOrigin,
  guidAtHome,
} from "../../remote-people/proven-origins.ts";
import type { Delivery, Rendered } from "../../outbound/outgoing.ts";
import type { DiasporaDeps } from "../deps.ts";
import { hostOf } from "../render/wire-values.ts";

/** A user here who signs an envelope. */
export type Signer = {
  readonly person: Person;
  readonly userId: UserId;
};

/** @returns undefined for a person from elsewhere, whose key we do not have */
export function asSigner(person: Person): Signer | undefined {
  const { userId } = person;
  return userId === null ? undefined : { person, userId };
}

/** Writes an entity and puts it into an envelope signed by `signer`. */
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

/** The deliveries of an envelope that is sealed already, whoever did it. */
export function dispatchDocument(
  document: string,
  signer: Signer,
  to: { readonly recipients: readonly Person[]; readonly isPublic: boolean },
): Rendered {
  return {
    document,
    deliveries: addressTo(to.recipients, signer, to.isPublic),
  };
}

/** The deliveries of an envelope: of a public one a single POST to each server, else one for each person. */
function addressTo(
  recipients: readonly Person[],
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

/** A server that is only claimed is a place of its own: what fails there must not keep the server's own people waiting. */
function placeOf(
  recipient: Person,
  url: string,
): Pick<Delivery, "place" | "isHostClaimed"> {
  return findOwnSeedOrigin(recipient) === undefined
    ? { place: `${url} ${hostOf(recipient.handle)}`, isHostClaimed: true }
    : { place: url };
}

/** An envelope with its deliveries; nothing is signed where nobody gets it. */
export async function dispatchEntity(
  deps: Pick<DiasporaDeps, "accounts">,
  entity: Entity,
  signer: Signer,
  to: { readonly recipients: readonly Person[]; readonly isPublic: boolean },
): Promise<Rendered[]> {
  const deliveries = addressTo(to.recipients, signer, to.isPublic);
  if (deliveries.length === 0) return [];
  const document = await sealEntity(deps, entity, signer);
  return [{ document, deliveries }];
}
