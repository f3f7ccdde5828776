import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readKeys } from "./read-key.ts";
import type { PublicKey } from "./read-key.ts";
import { readPicture, readProfileFields, readTags } from "./read-parts.ts";
import type { Picture, Tag } from "./read-parts.ts";
import { isSameHost, isSameOriginOrSubdomain, sameOrigin } from "../urls.ts";
import {
  guidOf,
  httpIdOf,
  idListOf,
  idOf,
  isTrue,
  linkOf,
  listOf,
  present,
  textOf,
  timeOf,
  typeOf,
  urlOf,
} from "../values.ts";

/** An actor of another server, as described by its document. Texts are not sanitized. */
export type RemoteActor = {
  id: string;
  type: string;
  preferredUsername: string;
  name?: string;
  /** HTML, not sanitized, at most 20480 characters. */
  summary?: string;
  inbox: string;
  outbox?: string;
  followers?: string;
  following?: string;
  featured?: string;
  sharedInbox?: string;
  /** The HTML page of the profile, on the host of the id. */
  url?: string;
  icon?: Picture;
  image?: Picture;
  /** RSA keys of `publicKey` first, then Ed25519 keys of `assertionMethod`, all as SPKI or PKCS#1 PEM. */
  publicKeys: PublicKey[];
  manuallyApprovesFollowers: boolean;
  /** `user@host` as claimed by the actor (FEP-2c59); trust it only when WebFinger agrees. */
  webfinger?: string;
  guid?: string;
  alsoKnownAs: string[];
  movedTo?: string;
  discoverable: boolean;
  suspended: boolean;
  /** Whether public posts may appear in search results (FEP-5feb). */
  indexable?: boolean;
  /** Whether the server announces that it accepts RFC 9421 signatures (FEP-844e). */
  acceptsRfc9421?: boolean;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  published?: string;
  /** Profile fields; values are HTML, not sanitized. */
  fields: { name: string; value: string }[];
  tags: Tag[];
  raw: JsonObject;
};

/** The five actor types (Activity Vocabulary §3.2). */
export const ACTOR_TYPES: ReadonlySet<string> = new Set([
  "Application",
  "Group",
  "Organization",
  "Person",
  "Service",
]);

const USERNAME = /^[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*$/i;
const MAX_ALIASES = 256;

/**
 * Reads an actor document. Endpoints and keys of another origin than the id are dropped, but the shared inbox may be on
 * a subdomain; an inbox of another origin invalidates the whole document.
 * @throws {ActivityPubError} `not_an_actor`
 * @see ActivityPub §4.1; FEP-fe34
 */
export function readActor(json: JsonObject): RemoteActor {
  const id = typeof json["id"] === "string" ? httpIdOf(json["id"]) : undefined;
  if (id === undefined || id.includes("#")) {
    throw new ActivityPubError("not_an_actor", "No http(s) id");
  }
  const type = typeOf(json["type"], ACTOR_TYPES);
  if (type === undefined || !ACTOR_TYPES.has(type)) {
    throw new ActivityPubError("not_an_actor", "Not the type of an actor");
  }
  const preferredUsername = textOf(json["preferredUsername"]);
  if (
    preferredUsername === undefined ||
    preferredUsername.length > 2048 ||
    !USERNAME.test(preferredUsername)
  ) {
    throw new ActivityPubError("not_an_actor", "No usable preferredUsername");
  }
  const inbox = ownUrl(json["inbox"], id);
  if (inbox === undefined) {
    throw new ActivityPubError("not_an_actor", "No inbox of its own origin");
  }
  return present<RemoteActor>({
    id,
    type,
    preferredUsername,
    inbox,
    ...readEndpoints(json, id),
    ...readProfile(json, id),
    publicKeys: readKeys(json, id),
    guid: guidOf(json),
    alsoKnownAs: idListOf(json["alsoKnownAs"], MAX_ALIASES),
    movedTo: httpIdOf(json["movedTo"]),
    raw: json,
  });
}

function readEndpoints(
  json: JsonObject,
  id: string,
): Pick<
  { [K in keyof RemoteActor]: RemoteActor[K] | undefined },
  "outbox" | "followers" | "following" | "featured" | "sharedInbox"
> {
  const endpoints = json["endpoints"];
  const shared =
    httpIdOf(isJsonObject(endpoints) ? endpoints["sharedInbox"] : undefined) ??
    httpIdOf(json["sharedInbox"]);
  const isOurs = shared !== undefined && isSameOriginOrSubdomain(shared, id);
  return {
    outbox: ownUrl(json["outbox"], id),
    followers: ownUrl(json["followers"], id),
    following: ownUrl(json["following"], id),
    featured: ownUrl(json["featured"], id),
    sharedInbox: isOurs ? shared : undefined,
  };
}

function readProfile(json: JsonObject, id: string) {
  const url = urlOf(json["url"]);
  return {
    name: textOf(json["name"], 2048),
    summary: textOf(json["summary"], 20_480),
    url: url !== undefined && isSameHost(url, id) ? url : undefined,
    icon: readPicture(json["icon"]),
    image: readPicture(json["image"]),
    manuallyApprovesFollowers: isTrue(json["manuallyApprovesFollowers"]),
    webfinger: readWebfinger(json["webfinger"]),
    discoverable: isTrue(json["discoverable"]),
    suspended: isTrue(json["suspended"]),
    indexable: isTrue(json["indexable"]) || undefined,
    acceptsRfc9421: implementsRfc9421(json["generator"]) || undefined,
    published: timeOf(json["published"]),
    fields: readProfileFields(json["attachment"]),
    tags: readTags(json["tag"]),
  };
}

function ownUrl(value: JsonValue | undefined, id: string): string | undefined {
  const url = httpIdOf(value);
  return url !== undefined && sameOrigin(url, id) ? url : undefined;
}

function readWebfinger(value: JsonValue | undefined): string | undefined {
  const address = textOf(value, 2048)?.replace(/^acct:/, "");
  return address !== undefined && /^[^@\s/]+@[^@\s/]+$/.test(address)
    ? address
    : undefined;
}

function implementsRfc9421(generator: JsonValue | undefined): boolean {
  if (!isJsonObject(generator)) return false;
  return listOf(generator["implements"], 100).some((item) =>
    /\/rfc9421\/?$/.test(
      (isJsonObject(item) ? linkOf(item)?.url : idOf(item)) ?? "",
    ),
  );
}
