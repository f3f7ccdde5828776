import { isBaseProfile, participantsOf, type Entity } from "@kith/diaspora";

/** The reason of a refusal, for operators only; undefined if accepted. */
type Refusal = string | undefined;

const TAKES_BACK: ReadonlySet<Entity["type"]> = new Set([
  "account_deletion",
  "retraction",
]);

/** A suspended person can still retract objects, and nothing else. */
export function isAcceptedFromSender(
  { state }: { readonly state: string },
  { type }: Entity,
): boolean {
  return state === "active" || TAKES_BACK.has(type);
}

/** Everything but relayables and retractions is sent by its author. */
export function refuseForeignAuthor(
  entity: { readonly author: string },
  sender: string,
): Refusal {
  return entity.author === sender ? undefined : "not sent by its author";
}

/** The handles of the people concerned with a relayable. */
type RelayableParties = {
  readonly sender: string;
  readonly author: string;
  readonly rootAuthor: string;
  readonly isRootHere: boolean;
};

/**
 * A relayable is passed on by the author of the post. Its own author sends it
 * to the server of the post only.
 */
export function refuseRelayable(parties: RelayableParties): Refusal {
  const { sender, author, rootAuthor, isRootHere } = parties;
  if (sender === rootAuthor) return undefined;
  if (sender !== author) return "sent by a third party";
  return isRootHere ? undefined : "not passed on by the author of the post";
}

/**
 * Comments and likes are retracted by their author or by the author of the
 * post, everything else by its author. The author named in the message is
 * ignored.
 * @param target handles of the stored authors
 */
export function refuseRetraction(
  target: { readonly author: string; readonly rootAuthor: string | null },
  sender: string,
): Refusal {
  return sender === target.author || sender === target.rootAuthor
    ? undefined
    : "not a thing of the sender";
}

/**
 * The public endpoint accepts public entities only, and some entities are
 * accepted only there.
 * @param owner handle of the person whose own endpoint received it
 */
export function refuseEndpoint(entity: Entity, owner: string | null): Refusal {
  if (owner === null) return refusePublicly(entity);
  const isForOwner =
    (entity.type !== "contact" || entity.recipient === owner) &&
    (entity.type !== "conversation" || participantsOf(entity).includes(owner));
  return isForOwner ? undefined : "meant for somebody else";
}

/**
 * Entities for their recipient only (protocol sections 10.12, 10.16, 10.17).
 */
const PRIVATE: ReadonlySet<Entity["type"]> = new Set([
  "contact",
  "conversation",
  "message",
  "participation",
]);

function refusePublicly(entity: Entity): Refusal {
  if (PRIVATE.has(entity.type)) return "not encrypted";
  if (!("public" in entity) || entity.public) return undefined;
  // The hCard is public in any case, with names and pictures.
  if (entity.type === "profile" && isBaseProfile(entity)) return undefined;
  return "not public";
}
