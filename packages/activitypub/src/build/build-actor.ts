import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import type { JsonObject } from "../json/json-types.ts";

type PictureInput = { url: string; mediaType?: string };

/** The input of {@link buildActor}. All URLs are absolute; `summaryHtml` is safe HTML. */
export type ActorInput = {
  id: string;
  /** Person by default; Application for the server's own actor, Service for a bot. */
  type?: "Person" | "Application" | "Group" | "Organization" | "Service";
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
  icon?: PictureInput;
  /** The header image of the profile. */
  image?: PictureInput;
  /** Profile fields: names are plain text, values safe HTML. */
  fields?: { name: string; valueHtml: string }[];
  published?: string;
  discoverable?: boolean;
  /** Whether public posts may appear in search results (FEP-5feb). */
  indexable?: boolean;
  suspended?: boolean;
  /** Announces that we accept RFC 9421 signatures (FEP-844e). */
  acceptsRfc9421?: boolean;
  manuallyApprovesFollowers?: boolean;
  /** `user@host[:port]`, without a scheme (FEP-2c59). */
  webfinger?: string;
  alsoKnownAs?: string[];
  movedTo?: string;
};

const RFC_9421_GENERATOR: JsonObject = {
  type: "Application",
  implements: [
    {
      href: "https://datatracker.ietf.org/doc/html/rfc9421",
      name: "RFC-9421: HTTP Message Signatures",
    },
  ],
};

/** Builds an actor document without `@context` that every peer accepts: one key object, plain string URLs. */
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
    icon: pictureOf(actor.icon),
    image: pictureOf(actor.image),
    attachment: actor.fields?.map(({ name, valueHtml }) => ({
      type: "PropertyValue",
      name,
      value: valueHtml,
    })),
    published: wholeSeconds(actor.published),
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    suspended: actor.suspended,
    generator: actor.acceptsRfc9421 ? RFC_9421_GENERATOR : undefined,
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

function pictureOf(picture: PictureInput | undefined): JsonObject | undefined {
  if (picture === undefined) return undefined;
  const { mediaType, url } = picture;
  return membersOf({ type: "Image", mediaType, url });
}
