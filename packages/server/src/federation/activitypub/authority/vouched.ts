import {
  ActivityPubError,
  readNote,
  type JsonObject,
  type Note,
  type ObjectRef,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { fetchObject, type FetchOwnDeps } from "./fetch-own.ts";
import { isOfServer } from "./origins.ts";

/**
 * The object of an activity, as its author's server attests it: the embedded copy if the sender is
 * the author, or else the document under its id.
 * @param sender verified
 */
export async function getObject(
  deps: FetchOwnDeps,
  ref: ObjectRef,
  sender: Person,
): Promise<JsonObject | undefined> {
  const { id } = ref;
  const embedded = embeddedBy(ref, sender);
  if (embedded) return embedded;
  return id === undefined ? undefined : fetchObject(deps, id);
}

/** The embedded copy, if its sender may vouch for it. */
export function embeddedBy(
  { embedded }: ObjectRef,
  { addresses }: Person,
): JsonObject | undefined {
  return embedded && isBySender(embedded, addresses.actorUri ?? "")
    ? embedded
    : undefined;
}

/**
 * On the actor's server, and by the actor: the first of several authors counts.
 */
function isBySender(object: JsonObject, actorUri: string): boolean {
  const { id } = object;
  if (typeof id !== "string" || !isOfServer(id, actorUri)) return false;
  const by = object["attributedTo"];
  const first: unknown = Array.isArray(by) ? by[0] : by;
  const author =
    typeof first === "object" && first !== null
      ? (first as { id?: unknown }).id
      : first;
  return author === actorUri;
}

/**
 * Reads a post-like object; undefined if its author is on another server.
 * @throws {ActivityPubError} if it is none
 */
export function readOwnNote(object: JsonObject): Note | undefined {
  const note = readNote(object);
  return isOfServer(note.id, note.attributedTo) ? note : undefined;
}

/** An object without any address has those of its activity (as in Mastodon). */
function withAddressesOf(activity: JsonObject, object: JsonObject): JsonObject {
  if (ADDRESSES.some((name) => object[name] != null)) return object;
  const { to, cc } = activity;
  return {
    ...object,
    ...(to !== undefined && { to }),
    ...(cc !== undefined && { cc }),
  };
}

const ADDRESSES = ["to", "cc", "bto", "bcc", "audience"] as const;

/** Gives an embedded object the context of its activity. */
export function withContextOf(
  activity: JsonObject,
  object: JsonObject,
): JsonObject {
  const context = object["@context"] ?? activity["@context"];
  return context === undefined ? object : { ...object, "@context": context };
}

/** A Note, or the reason for its refusal. */
type Written = { readonly note: Note } | { readonly refusal: string };

/**
 * Reads the Note that an activity embeds or names: it counts only if the sender wrote it.
 * @param object undefined if its author does not vouch for it
 * @throws {ActivityPubError} if it is not a Note or similar
 */
export function readWritten(
  activity: JsonObject,
  object: JsonObject | undefined,
  sender: Person,
): Written {
  const whole = object && withAddressesOf(activity, object);
  const note = whole && readOwnNote(withContextOf(activity, whole));
  if (!note) return { refusal: "an object that its author does not vouch for" };
  return note.attributedTo === sender.addresses.actorUri
    ? { note }
    : { refusal: "created by somebody else" };
}

/**
 * Does the object under this id name the actor as its author, on its own
 * server?
 */
export async function isAuthorOf(
  deps: FetchOwnDeps,
  uri: string,
  actorUri: string,
): Promise<boolean> {
  try {
    const object = await fetchObject(deps, uri);
    const note = object && readOwnNote(object);
    return note?.id === uri && note.attributedTo === actorUri;
  } catch (error) {
    const isExpected =
      error instanceof ActivityPubError || error instanceof KithError;
    if (isExpected) return false;
    throw error;
  }
}
