import {
  buildActivity,
  PUBLIC,
  serialize,
  withContext,
  type JsonObject,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Relays } from "./relay-list.ts";
import type { Relay } from "./relay-store.ts";
import type { Rendered, Outgoing } from "../../outbound/outgoing.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";

type Deps = { readonly relays: Relays; readonly uris: Uris };

/**
 * Is this message sent to relays? Posts and comments, their edits and deletions, and closed
 * accounts are.
 */
export function isForRelays(outgoing: Outgoing): boolean {
  switch (outgoing.kind) {
    case "post":
      return outgoing.post.rootGuid === null && outgoing.post.public;
    case "post_retraction":
      return outgoing.details.type !== "reshare" && outgoing.details.public;
    case "comment":
    case "comment_retraction":
    case "event_change":
    case "photo_retraction":
    case "poll_change":
    case "post_change":
    case "quote_change":
      return outgoing.post.public;
    case "departure":
    case "move":
      return true;
    case "block":
    case "contact":
    case "event_answer":
    case "like":
    case "like_retraction":
    case "pin":
    case "profile":
    case "thread_change":
    case "vote":
    case "vote_retraction":
      return false;
  }
}

/**
 * Renders deliveries to relays: of public and listed objects only. An inbox
 * gets the activity itself, with a signature of its author; a follower gets an
 * Announce of the object's id by our server.
 * @param sign adds an LD signature
 */
export async function renderForRelays(
  { relays, uris }: Deps,
  outgoing: Outgoing,
  rendered: JsonObject,
  author: Person,
  sign: (document: JsonObject) => Promise<JsonObject>,
): Promise<Rendered[]> {
  const { userId } = author;
  const document = forEverybody(outgoing, rendered);
  if (userId === null || !isListed(document)) return [];
  const accepted = await relays.listAccepted();
  const ofKind = (kind: Relay["kind"]) =>
    accepted.filter((relay) => relay.kind === kind);
  const dispatches: Rendered[] = [];
  const [inboxes, actors] = [ofKind("inbox"), ofKind("actor")];
  if (inboxes.length > 0)
    dispatches.push({
      document: serialize(await sign(document)),
      deliveries: inboxes.map((relay) => deliveryTo(relay, userId)),
    });
  const announce = announceOf(uris, document);
  if (actors.length > 0 && announce)
    dispatches.push({
      document: serialize(withContext(announce)),
      deliveries: actors.map((relay) => deliveryTo(relay, null)),
    });
  return dispatches;
}

function deliveryTo(
  { inboxUri, url }: Relay,
  senderUserId: Person["userId"],
): Rendered["deliveries"][number] {
  const inbox = inboxUri ?? url;
  return {
    protocol: "activitypub",
    url: inbox,
    place: inbox,
    senderUserId,
    recipientId: null,
  };
}

/**
 * A Move is addressed to followers, because others need not act; the profile announces it to
 * everyone.
 */
function forEverybody({ kind }: Outgoing, document: JsonObject): JsonObject {
  return kind === "move"
    ? { ...document, to: [PUBLIC], cc: document["to"] ?? [] }
    : document;
}

function isListed({ to }: JsonObject): boolean {
  return Array.isArray(to) && to.includes(PUBLIC);
}

/**
 * An Announce of new objects; relays of this kind are not notified of others.
 */
function announceOf(uris: Uris, document: JsonObject): JsonObject | undefined {
  const { type, object } = document;
  if (type !== "Create" || typeof object !== "object" || object === null)
    return undefined;
  const id = "id" in object ? object.id : undefined;
  if (typeof id !== "string") return undefined;
  return buildActivity({
    id: uris.activity(derivedGuid("relay", id)),
    type: "Announce",
    actor: uris.instance,
    object: id,
    to: [PUBLIC],
  });
}
