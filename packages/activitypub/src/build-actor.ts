import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import type { JsonObject } from "./json-types.ts";

/** What an actor document of ours says. All URLs are absolute; `summaryHtml` is safe HTML. */
export type ActorInput = {
  id: string;
  /** Person by default; Application for the server's own actor. */
  type?: "Person" | "Application";
  preferredUsername: string;
  name?: string;
  summaryHtml?: string;
  url: string;
  inbox: string;
  outbox?: string;
  followers?: string;
  following?: string;
  featured?: string;
  sharedInbox?: string;
  /** RSA, SPKI in PEM. */
  publicKey: { id: string; pem: string };
  /** Ed25519 keys for integrity proofs (FEP-521a); see `encodeMultikey`. */
  assertionKeys?: { id: string; publicKeyMultibase: string }[];
  guid?: string;
  icon?: { url: string; mediaType?: string };
  published?: string;
  discoverable?: boolean;
  manuallyApprovesFollowers?: boolean;
  /** `user@host[:port]`, without a scheme (FEP-2c59). */
  webfinger?: string;
  alsoKnownAs?: string[];
  movedTo?: string;
};

/** Builds an actor document without `@context`. Every peer takes it as it is: one key object, plain string URLs. */
export function buildActor(actor: ActorInput): JsonObject {
  return membersOf({
    id: actor.id,
    type: actor.type ?? "Person",
    "diaspora:guid": actor.guid,
    preferredUsername: actor.preferredUsername,
    name: unlessEmpty(actor.name),
    summary: unlessEmpty(actor.summaryHtml),
    url: actor.url,
    inbox: actor.inbox,
    outbox: actor.outbox,
    followers: actor.followers,
    following: actor.following,
    featured: actor.featured,
    endpoints:
      actor.sharedInbox === undefined
        ? undefined
        : { sharedInbox: actor.sharedInbox },
    publicKey: {
      id: actor.publicKey.id,
      owner: actor.id,
      publicKeyPem: actor.publicKey.pem,
    },
    assertionMethod: assertionMethodOf(actor),
    icon: iconOf(actor.icon),
    published: wholeSeconds(actor.published),
    discoverable: actor.discoverable,
    manuallyApprovesFollowers: actor.manuallyApprovesFollowers ?? false,
    webfinger: actor.webfinger,
    alsoKnownAs: actor.alsoKnownAs,
    movedTo: actor.movedTo,
  });
}

function assertionMethodOf(actor: ActorInput): JsonObject[] | undefined {
  return actor.assertionKeys?.map((key) => ({
    id: key.id,
    type: "Multikey",
    controller: actor.id,
    publicKeyMultibase: key.publicKeyMultibase,
  }));
}

function iconOf(icon: ActorInput["icon"]): JsonObject | undefined {
  if (icon === undefined) return undefined;
  return membersOf({ type: "Image", mediaType: icon.mediaType, url: icon.url });
}
