import { isBaseProfile, participantsOf, type Entity } from "@kith/diaspora";

/** What people here see of a refusal: nothing. Operators read the reason; undefined means that nothing is wrong. */
type Refusal = string | undefined;

const TAKES_BACK: ReadonlySet<Entity["type"]> = new Set([
  "account_deletion",
  "retraction",
]);

/** Whoever is suspended can still take back what it did, and nothing else. */
export function isAcceptedFromSender(
  { state }: { readonly state: string },
  { type }: Entity,
): boolean {
  return state === "active" || TAKES_BACK.has(type);
}

/** Everything but relayables and retractions comes from its author. */
export function refuseForeignAuthor(
  entity: { readonly author: string },
  sender: string,
): Refusal {
  return entity.author === sender ? undefined : "not sent by its author";
}

/** Who stands where in a comment or like. All are handles. */
type RelayableParties = {
  readonly sender: string;
  readonly author: string;
  readonly rootAuthor: string;
  readonly isRootHere: boolean;
};

/**
 * A comment or like is passed on by the author of the post. Its own author sends
 * it to the server of the post and to nobody else.
 */
export function refuseRelayable(parties: RelayableParties): Refusal {
  const { sender, author, rootAuthor, isRootHere } = parties;
  if (sender === rootAuthor) return undefined;
  if (sender !== author) return "sent by a third party";
  return isRootHere ? undefined : "not passed on by the author of the post";
}

/**
 * Comments and likes are taken back by their author or by the author of the post,
 * everything else by its author. What the message calls the author counts for nothing.
 * @param target handles of those who made it, as we stored them
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
 * On the endpoint for everyone only public things are taken, and some only there
 * where nobody else listens.
 * @param owner handle of the person whose own endpoint it came to
 */
export function refuseEndpoint(entity: Entity, owner: string | null): Refusal {
  if (owner === null) return refusePublicly(entity);
  const isForOwner =
    (entity.type !== "contact" || entity.recipient === owner) &&
    (entity.type !== "conversation" || participantsOf(entity).includes(owner));
  return isForOwner ? undefined : "meant for somebody else";
}

/** What is nobody's business but the recipient's (protocol sections 10.12, 10.16, 10.17). */
const PRIVATE: ReadonlySet<Entity["type"]> = new Set([
  "contact",
  "conversation",
  "message",
  "participation",
]);

function refusePublicly(entity: Entity): Refusal {
  if (PRIVATE.has(entity.type)) return "not encrypted";
  if (!("public" in entity) || entity.public) return undefined;
  // The hCard shows names and pictures to everyone in any case.
  if (entity.type === "profile" && isBaseProfile(entity)) return undefined;
  return "not public";
}
