import type { Recipient } from "../../../features/people/index.ts";
import { serverOf, type Outgoing } from "../../outbound/outgoing.ts";
import type { Peers } from "../../peers/peers.ts";
import { readsAddresses } from "../render/tag-readers.ts";

type PeersDeps = { readonly peers: Pick<Peers, "softwareOf"> };

/** The software of a person's server; null if unknown. */
type SoftwareOf = (person: Recipient) => string | null;

async function findSoftware(
  { peers }: PeersDeps,
  people: readonly Recipient[],
): Promise<SoftwareOf> {
  const known = new Map<string, string | null>();
  for (const origin of new Set(people.map(originOf)))
    known.set(origin, await peers.softwareOf(origin));
  return (person) => known.get(originOf(person)) ?? null;
}

function originOf(person: Recipient): string {
  return serverOf(person) ?? "";
}

export async function groupBySoftware(
  deps: PeersDeps,
  people: readonly Recipient[],
): Promise<{ friendica: Recipient[]; others: Recipient[] }> {
  const softwareOf = await findSoftware(deps, people);
  const isFriendica = (person: Recipient) => softwareOf(person) === "friendica";
  return {
    friendica: people.filter(isFriendica),
    others: people.filter((person) => !isFriendica(person)),
  };
}

/**
 * The readers whose servers are not known to show a limited object to readers who are not tagged.
 */
export async function listReadersToTag(
  deps: PeersDeps,
  readers: readonly Recipient[],
): Promise<Recipient[]> {
  const softwareOf = await findSoftware(deps, readers);
  return readers.filter((reader) => !readsAddresses(softwareOf(reader)));
}

/**
 * When a remote comment is removed from a local thread, its own server does not accept that from
 * us: only its author can delete it there, and GoToSocial 0.20 answers 500 to anyone else for ever.
 * Another Kith accepts it, and unknown software may be one.
 */
export async function listTakers(
  { peers }: PeersDeps,
  outgoing: Outgoing,
  recipients: readonly Recipient[],
): Promise<readonly Recipient[]> {
  const isOfOthers =
    outgoing.kind === "comment_retraction" && outgoing.author.userId === null;
  const origin = isOfOthers ? serverOf(outgoing.author) : undefined;
  const isThere = (person: Recipient) => serverOf(person) === origin;
  if (origin === undefined || !recipients.some(isThere)) return recipients;
  const software = await peers.softwareOf(origin);
  const takes = software === null || software === "kith";
  return recipients.filter((person) => takes || !isThere(person));
}
