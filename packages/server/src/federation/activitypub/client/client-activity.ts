import {
  ActivityPubError,
  isJsonArray,
  isJsonObject,
  isPublicAddress,
  parseJson,
  readActivity,
  type JsonObject,
  type JsonValue,
  type ObjectRef,
} from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Uris } from "../records/uris.ts";

/** An activity that a user's client posted, not applied yet. */
export type ClientActivity = {
  readonly type: string;
  readonly object: ObjectRef;
  /** Every addressed id; empty if there is none. */
  readonly addresses: readonly string[];
  /** Is the public collection in `cc`, and not in `to`? */
  readonly isUnlisted: boolean;
};

/** Objects that are wrapped in a Create (ActivityPub §6.2.1). */
const OBJECT_TYPES = new Set(
  `Article Audio Document Event Image Note Page Place Question Video`.split(
    " ",
  ),
);

const ADDRESSES = ["to", "cc", "bto", "bcc", "audience"] as const;

/**
 * Parses a document posted to an outbox. Its id is ignored: the server assigns
 * ids (ActivityPub §6).
 * @throws {KithError} `bad_request` for neither an activity nor an object, or
 *   one of another actor
 */
export function readClientActivity(
  body: Uint8Array,
  owner: Person,
  uris: Uris,
): ClientActivity {
  try {
    const json = parseJson(body);
    const given =
      typeof json["type"] === "string" && OBJECT_TYPES.has(json["type"])
        ? { type: "Create", object: json }
        : json;
    const actor = uris.actor(usernameOf(owner));
    const activity = readActivity({ ...given, actor: given["actor"] ?? actor });
    if (!isOwner(uris, owner, activity.actor))
      throw new KithError(
        "bad_request",
        "The actor of the activity must be the owner of the outbox.",
      );
    if (!activity.object)
      throw new KithError("bad_request", "The activity must have an object.");
    return {
      type: activity.type,
      object: activity.object,
      addresses: readAddresses(ADDRESSES, given, activity.object.embedded),
      isUnlisted: isInCcAlone(given, activity.object.embedded),
    };
  } catch (error) {
    if (error instanceof ActivityPubError)
      throw new KithError(
        "bad_request",
        `The activity cannot be read: ${error.message}.`,
      );
    throw error;
  }
}

/** Is this the owner's actor, by any of its ids? */
export function isOwner(uris: Uris, owner: Person, uri: string): boolean {
  return uris.usernameOf(uri) === usernameOf(owner);
}

/** An activity and its object have one audience (ActivityPub §6.2). */
function readAddresses(
  names: readonly string[],
  ...parts: readonly (JsonObject | undefined)[]
): readonly string[] {
  const found = new Set<string>();
  for (const part of parts)
    for (const name of names)
      for (const address of listOf(part?.[name])) found.add(readId(address));
  return [...found];
}

function isInCcAlone(...parts: readonly (JsonObject | undefined)[]): boolean {
  const isPublicIn = (...names: readonly string[]) =>
    readAddresses(names, ...parts).some(isPublicAddress);
  return isPublicIn("cc", "bcc") && !isPublicIn("to", "bto", "audience");
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return isJsonArray(value) ? [...value] : [value];
}

/** To leave out an invalid address would change the audience. */
function readId(value: JsonValue): string {
  const id = isJsonObject(value) ? value["id"] : value;
  if (typeof id !== "string" || id === "")
    throw new KithError(
      "bad_request",
      "Each addressee must be an id, or an object with an id.",
    );
  return id;
}

export function isAddressedToPublic({ addresses }: ClientActivity): boolean {
  return addresses.some(isPublicAddress);
}

/**
 * The id of an activity's object. @throws {KithError} `bad_request` if it has
 * none
 */
export function idOfObject({ object }: ClientActivity): string {
  if (object.id === undefined)
    throw new KithError(
      "bad_request",
      "The object must be an id, or an object with an id.",
    );
  return object.id;
}
