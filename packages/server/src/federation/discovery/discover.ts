import type { RemoteActor } from "@kith/activitypub";
import { LRUCache } from "lru-cache";
import type {
  DiscoveredPerson,
  People,
  Person,
  Protocol,
} from "../../features/people/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { FetchRefused, type GuardedFetch } from "../../lib/guarded-fetch.ts";
import { formatHandle, parseHandle, type Handle } from "../../lib/handle.ts";
import type { Log } from "../../lib/log.ts";
import { withinPatience } from "../../lib/patience.ts";
import { createRateLimit } from "../../lib/rate-limit.ts";
import { isSamePerson } from "./pinned.ts";
import { fromActor, type DiscoveredPart } from "./read-activitypub.ts";
import { fetchDiasporaPart } from "./read-diaspora.ts";
import { finger, type Fingered } from "./webfinger.ts";

export type DiscoveryDeps = {
  readonly people: People;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: GuardedFetch;
  /** An actor as it is under its own id; what answers elsewhere, or is none, does not count. */
  readonly fetchActor: (uri: string) => Promise<RemoteActor | undefined>;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
  /** `host[:port]` of the handles here. */
  readonly handleHost: string;
  /** @param address a host, or a URL there */
  readonly isHostAllowed: (address: string) => Promise<boolean>;
};

/** Finds people, here and on the network. */
export type Discovery = ReturnType<typeof createDiscovery>;

const SEARCH_MS = 9_500;
const FRESH_MS = 24 * 3_600_000;
const FAILURE_REMEMBERED_MS = 5 * 60_000;
const MAX_REMEMBERED_FAILURES = 10_000;
/** What messages from strangers make us look up: of one host, and because of one source. */
const STRANGERS = { max: 300, windowMs: 600_000 };

export function createDiscovery(deps: DiscoveryDeps) {
  const { people, clock, log } = deps;
  const running = new Map<string, Promise<Person | undefined>>();
  const failures = new LRUCache<string, number>({
    max: MAX_REMEMBERED_FAILURES,
  });
  const hosts = createRateLimit({ clock, ...STRANGERS });
  const sources = createRateLimit({ clock, ...STRANGERS });

  const hasFailed = (key: string): boolean =>
    clock.now().getTime() - (failures.get(key) ?? -Infinity) <
    FAILURE_REMEMBERED_MS;
  const fail = (key: string) => failures.set(key, clock.now().getTime());

  /** One look-up of a thing at a time; one that failed is not repeated at once. */
  async function once(
    key: string,
    look: () => Promise<Person | undefined>,
  ): Promise<Person | undefined> {
    const current = running.get(key);
    if (current) return current;
    if (hasFailed(key)) return undefined;
    const looking = look()
      .catch((error: unknown) => {
        log.debug({ key, error: messageOf(error) }, "Discovery failed");
        if (error instanceof HostFailed) fail(error.key);
        return undefined;
      })
      .then((person) => {
        if (person) failures.delete(key);
        else fail(key);
        return person;
      })
      .finally(() => running.delete(key));
    running.set(key, looking);
    return looking;
  }

  /**
   * A person by handle: known here, or found on the network.
   * @param source whose message makes us look, where it was a message: each may
   *   cause so many look-ups, each host is asked so often, and one that is down
   *   is left alone for a while, whatever names are made up for it
   */
  async function byHandle(
    text: string,
    source?: string,
  ): Promise<Person | undefined> {
    const handle = parseHandle(text);
    if (!handle || !(await deps.isHostAllowed(handle.host))) return undefined;
    const name = formatHandle(handle);
    const known = await people.find({ handle: name });
    if (handle.host === deps.handleHost)
      return known?.state === "active" ? known : undefined;
    if (known && isFresh(known, clock)) return known;
    if (known?.state === "shut_out") return known;
    const mayLook =
      source === undefined ||
      (!hasFailed(name) &&
        !hasFailed(hostKey(handle)) &&
        sources.take(source) &&
        hosts.take(handle.host));
    if (!mayLook) return known;
    const found = await once(name, () => discoverHandle(deps, handle));
    return found ?? known;
  }

  /** A person by actor id: known here, or found on the network. */
  async function byActor(
    uri: string,
    options: { refresh?: boolean } = {},
  ): Promise<Person | undefined> {
    if (!(await deps.isHostAllowed(uri))) return undefined;
    const known = await people.find({ actorUri: uri });
    if (known?.state === "shut_out") return known;
    if (known && !options.refresh) return known;
    const found = await once(uri, () => discoverActor(deps, uri));
    return found ?? known;
  }

  return {
    byHandle,
    /**
     * The same for somebody who waits for the answer, at most 10 s. Who searches
     * may do so right after the other server came up, so an earlier failure does
     * not count. Somebody who is known to have left is not found.
     */
    search: async (text: string): Promise<Person | undefined> => {
      const handle = parseHandle(text);
      if (handle) failures.delete(formatHandle(handle));
      const looking = byHandle(text);
      return stillHere(await withinPatience(looking, SEARCH_MS));
    },
    /** @param options.refresh asks again even where the person is known: a key may have been rotated */
    byActor,
    /** The same for somebody who waits for the answer. */
    searchActor: async (uri: string): Promise<Person | undefined> => {
      failures.delete(uri);
      return stillHere(await withinPatience(byActor(uri), SEARCH_MS));
    },
  };
}

function stillHere(person: Person | undefined): Person | undefined {
  return person?.state === "active" ? person : undefined;
}

/** A host could not be asked at all, so it need not be asked for others either. */
class HostFailed extends Error {
  readonly key: string;
  constructor(handle: Handle, cause: FetchRefused) {
    super(cause.message, { cause });
    this.key = hostKey(handle);
  }
}

function hostKey({ host }: Handle): string {
  return `//${host}`;
}

function isFresh(person: Person, clock: Clock): boolean {
  return clock.now().getTime() - Date.parse(person.updatedAt) < FRESH_MS;
}

async function discoverActor(
  deps: DiscoveryDeps,
  uri: string,
): Promise<Person | undefined> {
  const actor = await deps.fetchActor(uri);
  const claimed = actor && claimedHandle(actor);
  const fingered = claimed && (await finger(deps.fetch, claimed));
  if (!fingered) return undefined;
  const person = await discoverHandle(deps, fingered.subject);
  return person?.addresses.actorUri === uri ? person : undefined;
}

async function discoverHandle(
  deps: DiscoveryDeps,
  asked: Handle,
): Promise<Person | undefined> {
  const fingered = await fingerSubject(deps, asked);
  if (!fingered || fingered.subject.host === deps.handleHost) return undefined;
  const found: [Protocol, DiscoveredPart][] = [];
  const activityPub = await fetchActivityPubPart(deps, fingered);
  if (typeof activityPub === "object") found.push(["activitypub", activityPub]);
  const diaspora = await tryDiasporaPart(deps, fingered);
  const handle = formatHandle(fingered.subject);
  const known = await deps.people.find({ handle });
  if (diaspora && (!known || isSamePerson(deps.log, known, diaspora)))
    found.push(["diaspora", diaspora]);
  const merged = merge(handle, found);
  const isActorWithdrawn =
    activityPub === "withdrawn" ||
    (activityPub === undefined && namesOtherActor(deps, known, fingered));
  return merged && deps.people.storeRemote({ ...merged, isActorWithdrawn });
}

/** Follows one change of subject: a handle's host may not be the server's. */
async function fingerSubject(
  { fetch }: DiscoveryDeps,
  asked: Handle,
): Promise<Fingered | undefined> {
  const first = await finger(fetch, asked).catch((error: unknown) => {
    throw error instanceof FetchRefused ? new HostFailed(asked, error) : error;
  });
  if (!first || isSame(first.subject, asked)) return first;
  const second = await finger(fetch, first.subject);
  return second && isSame(second.subject, first.subject) ? second : undefined;
}

/** The handle's host alone says so; what it names in its place is not to be had, and is not believed either. */
function namesOtherActor(
  { protocols }: DiscoveryDeps,
  known: Person | undefined,
  { actorUri }: Fingered,
): boolean {
  const stored = known?.addresses.actorUri ?? null;
  return protocols.activitypub && stored !== null && stored !== actorUri;
}

/** @returns undefined where nothing is to be had: that says nothing of what was heard before */
async function fetchActivityPubPart(
  deps: DiscoveryDeps,
  { actorUri, subject }: Fingered,
): Promise<DiscoveredPart | "withdrawn" | undefined> {
  if (!deps.protocols.activitypub || actorUri === undefined) return undefined;
  const actor = await deps.fetchActor(actorUri);
  if (!actor) return undefined;
  // Any host can claim that its handle is somebody's actor; the actor's host must say so, too.
  const claimed = claimedHandle(actor);
  if (claimed && !isSame(claimed, subject)) {
    const back = await finger(deps.fetch, claimed);
    if (!back) return undefined;
    if (!isSame(back.subject, subject) || back.actorUri !== actorUri)
      return "withdrawn";
  }
  return claimed && fromActor(actor);
}

/** The handle under which an actor's own host knows it. */
function claimedHandle(actor: RemoteActor): Handle | undefined {
  return parseHandle(`${actor.preferredUsername}@${new URL(actor.id).host}`);
}

async function tryDiasporaPart(
  { protocols, fetch, log }: DiscoveryDeps,
  fingered: Fingered,
): Promise<DiscoveredPart | undefined> {
  if (!protocols.diaspora) return undefined;
  try {
    return await fetchDiasporaPart(fetch, fingered);
  } catch (error) {
    log.debug({ error: messageOf(error) }, "Not to be had over diaspora*");
    return undefined;
  }
}

/** One person out of what both protocols say, ActivityPub being the one that is used. */
function merge(
  handle: string,
  found: readonly (readonly [Protocol, DiscoveredPart])[],
): DiscoveredPerson | undefined {
  const [first, ...others] = found;
  if (!first) return undefined;
  let part = first[1];
  for (const [, other] of others)
    part = {
      ...part,
      ...other,
      keys: [...part.keys, ...other.keys],
      addresses: {
        ...part.addresses,
        seedLocation: other.addresses.seedLocation,
      },
      profile: { ...part.profile, ...other.profile },
    };
  const protocols: [Protocol, ...Protocol[]] = [
    first[0],
    ...others.map(([protocol]) => protocol),
  ];
  return { handle, protocols, ...part };
}

function isSame(a: Handle, b: Handle): boolean {
  return a.name === b.name && a.host === b.host;
}
