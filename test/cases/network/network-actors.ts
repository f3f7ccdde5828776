import type { IndexedActor } from "../case-file.ts";
import { idOf, isRecord, textIn, type Json } from "../json.ts";
import type { KeyRing } from "./keys.ts";

/** Somebody on the simulated network. */
export type NetworkActor = IndexedActor & { readonly id: string };

/**
 * Somebody of an index. Whoever has boxes has a collection of pinned posts as well;
 * where the index does not name it, it is where Mastodon has it.
 */
export function indexedActor(id: string, actor: IndexedActor): NetworkActor {
  const featured = `${id.replace(/\/$/, "")}/collections/featured`;
  return { id, ...(actor.outbox !== undefined && { featured }), ...actor };
}

/** An actor out of its document; undefined where it is none. */
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

/** The document that an actor of the index answers with. */
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

/** What a key id without a fragment answers with. */
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

/** The answer of WebFinger (RFC 7033) about an actor. */
export function fingered(actor: NetworkActor): Json {
  return {
    subject: `acct:${handleOf(actor)}`,
    aliases: [actor.id],
    links: [{ rel: "self", type: "application/activity+json", href: actor.id }],
  };
}
