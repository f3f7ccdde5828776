import { isPublicKey, type RemoteActor } from "@kith/activitypub";
import { splitName } from "@kith/diaspora";
import { readEmojis } from "../../features/custom-emojis.ts";
import {
  MAX_FIELDS,
  readFields,
  type PersonKind,
} from "../../features/people/index.ts";
import type { DiscoveredPerson } from "../remote-people/store-remote-person.ts";
import { htmlToMarkdown } from "../../lib/markdown/markdown-from-html.ts";
import { readPictureAddress } from "../../lib/images/picture-address.ts";

/** The part of a discovery that one protocol provides. */
export type DiscoveredPart = Omit<DiscoveredPerson, "handle" | "protocols">;

/** Programs speak as Services, and the software of a server as an Application. */
function kindOf({ type }: RemoteActor): PersonKind {
  if (type === "Service" || type === "Application") return "bot";
  return type === "Group" ? "group" : "person";
}

/** Maps an actor to a discovered person. */
export function fromActor(actor: RemoteActor): DiscoveredPart {
  const fullName = (actor.name ?? "").slice(0, 255);
  const { firstName, lastName } = splitName(fullName);
  const imageUrl = actor.icon?.url ?? "";
  return {
    ...(actor.guid === undefined ? {} : { guid: actor.guid }),
    // Keys that cannot verify a signature are not stored.
    keys: actor.publicKeys
      .filter(({ pem }) => isPublicKey(pem))
      .map(({ id, pem }) => ({ keyId: id, publicKeyPem: pem })),
    addresses: {
      actorUri: actor.id,
      inboxUri: actor.inbox,
      sharedInboxUri: actor.sharedInbox ?? null,
      followersUri: actor.followers ?? null,
      seedLocation: null,
      profileUrl: actor.url ?? actor.id,
    },
    profile: {
      fullName,
      firstName,
      lastName,
      imageUrl,
      imageUrlMedium: imageUrl,
      imageUrlSmall: imageUrl,
      bio: actor.summary === undefined ? "" : htmlToMarkdown(actor.summary),
      searchable: actor.discoverable,
      public: true,
      fields: readFields(
        actor.fields.slice(0, MAX_FIELDS).map(({ name, value }) => ({
          name,
          value: htmlToMarkdown(value),
        })),
      ),
      emojis: readEmojis(
        actor.tags
          .filter(({ type }) => type === "Emoji")
          .map(({ name, iconUrl }) => ({ shortcode: name, url: iconUrl })),
      ),
      headerUrl: readPictureAddress(actor.image?.url) ?? "",
      locked: actor.manuallyApprovesFollowers,
      indexable: actor.indexable ?? false,
      kind: kindOf(actor),
    },
  };
}
