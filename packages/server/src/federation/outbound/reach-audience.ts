import type { Protocol } from "../../db/schema/remote-person.ts";
import type { ReachAudience } from "../../features/audiences/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Peers } from "../peers/peers.ts";
import { listPostReaders, type AudienceDeps } from "./audience.ts";
import { speakWith } from "./choose-delivery-protocol.ts";
import { serverOf } from "./outgoing.ts";

type ReachDeps = AudienceDeps & {
  readonly peers: Pick<Peers, "softwareOf">;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
};

/** The software of so many servers is looked up at most: of unknown ones a job asks for it. */
const MAX_LOOKED_UP = 100;

/** The software of other servers that ignores edits of posts (diaspora* reference, section 6). */
const IGNORES_EDITS = "diaspora";

/** Computes what a post would reach, from the audience and protocols that its fan-out uses. */
export function createReachAudience(deps: ReachDeps): ReachAudience {
  const { protocols, peers } = deps;
  const senders = Object.fromEntries(
    Object.entries(protocols).filter(([, isEnabled]) => isEnabled),
  );
  return async (post) => {
    const readers = await listPostReaders(deps, { ...post, rootAuthor: null });
    const isHere = ({ userId }: Person) => userId !== null;
    const remote = readers.filter((person) => !isHere(person));
    const spoken = Map.groupBy(remote, (person) => speakWith(senders, person));
    const unreachable = spoken.get(undefined) ?? [];
    const missed = new Set(unreachable);
    const pods = originsOf(spoken.get("diaspora") ?? []);
    const ignoring: string[] = [];
    for (const origin of pods.slice(0, MAX_LOOKED_UP))
      if ((await peers.softwareOf(origin)) === IGNORES_EDITS)
        ignoring.push(origin);
    return {
      people: readers.filter((person) => !missed.has(person)),
      unreachable,
      hosts: hostsOf(originsOf(remote.filter((it) => !missed.has(it)))),
      // diaspora* knows public and limited posts, and lists all public ones.
      hostsListing: hostsOf(pods),
      hostsIgnoringEdits: hostsOf(ignoring),
      // diaspora* has no entity for them.
      hostsLinkingRecordings: hostsOf(pods),
    };
  };
}

function originsOf(people: readonly Person[]): string[] {
  return [...new Set(people.flatMap((person) => serverOf(person) ?? []))];
}

const hostsOf = (origins: readonly string[]) =>
  origins.map((origin) => new URL(origin).host).toSorted();
