import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Recipient } from "../../features/people/index.ts";
import {
  isInConversation,
  isRootHere,
  type Outgoing,
  type ProtocolSender,
  type Thread,
} from "./outgoing.ts";

/** The senders of the enabled protocols. */
export type Senders = Readonly<Partial<Record<Protocol, ProtocolSender>>>;

/** Which protocols are enabled here? */
type Enabled = Readonly<Partial<Record<Protocol, unknown>>>;

/** @returns the people who can be reached, each once */
export function groupByProtocol(
  senders: Enabled,
  outgoing: Outgoing,
  audience: readonly Recipient[],
): Map<Protocol | undefined, Recipient[]> {
  return Map.groupBy(audience, (person) =>
    chooseDeliveryProtocol(senders, outgoing, person),
  );
}

/**
 * Choose the protocol stored with the person; the other one where that is disabled here, or where
 * the object answered is known only over the other.
 */
export function chooseDeliveryProtocol(
  senders: Enabled,
  outgoing: Outgoing,
  person: Recipient,
): Protocol | undefined {
  if ("postAuthor" in outgoing && isInConversation(outgoing))
    return chooseInConversation(senders, outgoing, person);
  const namedByGuidAlone =
    "post" in outgoing &&
    "postAuthor" in outgoing &&
    !isRootHere(outgoing) &&
    outgoing.post.uri === null;
  // Over diaspora* the whole account moves, not only its followers.
  const goesAlong = outgoing.kind === "move" && outgoing.document !== null;
  return speakWith(senders, person, namedByGuidAlone || goesAlong);
}

/**
 * In a conversation of this server everyone is spoken with as usual. Any other is known to other
 * servers only over the protocol over which it came here.
 */
function chooseInConversation(
  senders: Enabled,
  outgoing: Outgoing & Thread,
  person: Recipient,
): Protocol | undefined {
  const chosen = isRootHere(outgoing)
    ? speakWith(senders, person)
    : outgoing.post.uri === null
      ? speakOver(senders, person, "diaspora")
      : speakOver(senders, person, "activitypub");
  if (outgoing.kind === "comment" && chosen === outgoing.cameOver)
    return undefined;
  // A message cannot be retracted over diaspora* (protocol section 10.17).
  return outgoing.kind === "comment_retraction" && chosen === "diaspora"
    ? undefined
    : chosen;
}

function speakOver(
  senders: Enabled,
  { addresses }: Recipient,
  protocol: Protocol,
): Protocol | undefined {
  const { actorUri, seedLocation } = addresses;
  const address = protocol === "diaspora" ? seedLocation : actorUri;
  return senders[protocol] && address !== null ? protocol : undefined;
}

/** @param senders of the enabled protocols */
export function speakWith(
  senders: Enabled,
  { protocol, addresses }: Recipient,
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
