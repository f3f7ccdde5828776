import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Person } from "../../features/people/index.ts";
import {
  isInConversation,
  isRootHere,
  type Outgoing,
  type ProtocolSender,
} from "./outgoing.ts";

/** The protocols that are switched on. */
export type Senders = Readonly<Partial<Record<Protocol, ProtocolSender>>>;

/** @returns those whom it can be told to, each once */
export function groupByProtocol(
  senders: Senders,
  outgoing: Outgoing,
  audience: readonly Person[],
): Map<Protocol | undefined, Person[]> {
  return Map.groupBy(audience, (person) =>
    chooseDeliveryProtocol(senders, outgoing, person),
  );
}

/**
 * The protocol stored with the person; the other one where that is switched off
 * here, or where the thing that is answered is known only by the other.
 */
export function chooseDeliveryProtocol(
  senders: Senders,
  outgoing: Outgoing,
  person: Person,
): Protocol | undefined {
  // Over ActivityPub it would be an answer to something that nobody else has.
  if ("postAuthor" in outgoing && isInConversation(outgoing))
    return senders.diaspora && person.addresses.seedLocation !== null
      ? "diaspora"
      : undefined;
  const namedByGuidAlone =
    "post" in outgoing &&
    "postAuthor" in outgoing &&
    !isRootHere(outgoing) &&
    outgoing.post.uri === null;
  // Over diaspora* everything goes along, and not the followers alone.
  const goesAlong = outgoing.kind === "move" && outgoing.document !== null;
  return speakWith(senders, person, namedByGuidAlone || goesAlong);
}

export function speakWith(
  senders: Senders,
  { protocol, addresses }: Person,
  preferDiaspora = false,
): Protocol | undefined {
  const reachable: Protocol[] = [
    ...(addresses.actorUri !== null && senders.activitypub
      ? (["activitypub"] as const)
      : []),
    ...(addresses.seedLocation !== null && senders.diaspora
      ? (["diaspora"] as const)
      : []),
  ];
  if (preferDiaspora && reachable.includes("diaspora")) return "diaspora";
  return protocol !== null && reachable.includes(protocol)
    ? protocol
    : reachable[0];
}
