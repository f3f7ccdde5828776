import type { IndexedActor } from "../case-file.ts";
import { idOf, isRecord, textIn, type Json } from "../json.ts";
import type { KeyRing } from "./keys.ts";

/** A person on the simulated network. */
export type NetworkActor = IndexedActor & { readonly id: string };

/**
 * A person of an index. An actor with boxes also has a collection of pinned posts, by
 * default at the address used by Mastodon.
 */
export function indexedActor(id: string, actor: IndexedActor): NetworkActor {
  const featured = `${id.replace(/\/$/, "")}/collections/featured`;
  return { id, ...(actor.outbox !== undefined && { featured }), ...actor };
}

/** Reads an actor from its document; undefined if it is not one. */
export function actorFrom(document: unknown): NetworkActor | undefined {
  const id = idOf(document);
  const preferredUsername = textIn(document, "preferredUsername");
  const inbox = textIn(document, "inbox");
  if (!isRecord(document) || !id || !preferredUsername || !inbox)
    return undefined;
  const shared = textIn(document["endpoints"], "sharedInbox");
  const others = ["outbox", "followers", "following", "featured"] as const;
  const boxes: Partial<Record<(typeof others)[number], string>> = {};
  for (const name of others) {
    const url = textIn(document, name);
    if (url !== undefined) boxes[name] = url;
  }
  const type = document["type"];
  return {
    id,
    type: typeof type === "string" ? type : "Person",
    preferredUsername,
    inbox,
    ...boxes,
    keyId: idOf(document["publicKey"]) ?? `${id}#main-key`,
    sharedInbox: shared ?? textIn(document, "sharedInbox") ?? null,
  };
}

/** The member of a crowd with this number. */
export function crowdActor(number: number): NetworkActor {
  const id = `https://crowd.example/users/p${number}`;
  return {
    id,
    type: "Person",
    preferredUsername: `p${number}`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    keyId: `${id}#main-key`,
    sharedInbox: null,
  };
}

const CONTEXT = [
  "https://www.w3.org/ns/activitystreams",
  "https://w3id.org/security/v1",
];

/** The document served for an actor of the index. */
export async function actorDocument(
  actor: NetworkActor,
  keys: KeyRing,
): Promise<Json> {
  const { keyId, sharedInbox, ...members } = actor;
  return {
    "@context": CONTEXT,
    ...members,
    url: actor.id,
    ...(typeof sharedInbox === "string" ? { endpoints: { sharedInbox } } : {}),
    publicKey: await publicKeyOf(actor, keys),
  };
}

/** The document served for a key id without a fragment. */
export async function keyStub(
  actor: NetworkActor,
  keys: KeyRing,
): Promise<Json> {
  const { id, type, preferredUsername } = actor;
  const publicKey = await publicKeyOf(actor, keys);
  return { "@context": CONTEXT, id, type, preferredUsername, publicKey };
}

async function publicKeyOf({ id, keyId }: NetworkActor, keys: KeyRing) {
  const { publicPem } = await keys.get(keyId);
  return { id: keyId, owner: id, publicKeyPem: publicPem };
}

/** `name@host` of an actor. */
export function handleOf({ id, preferredUsername }: NetworkActor): string {
  return `${preferredUsername}@${new URL(id).host}`;
}

/** The WebFinger response (RFC 7033) for an actor. */
export function fingered(actor: NetworkActor): Json {
  return {
    subject: `acct:${handleOf(actor)}`,
    aliases: [actor.id],
    links: [{ rel: "self", type: "application/activity+json", href: actor.id }],
  };
}
