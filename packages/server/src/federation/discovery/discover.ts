import type { RemoteActor } from "@kith/activitypub";
import type { Person } from "../../features/people/index.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { KithError, messageOf } from "../../lib/errors.ts";
import { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { withTimeout } from "../../lib/time/timeout.ts";
import { createRateLimit } from "../../lib/limits/rate-limit.ts";
import type { DiscoveryDeps } from "./deps.ts";
import { HostFailed, hostKey, isOwnFailure } from "./host-failed.ts";
import { discoverActor, discoverHandle } from "./look-up.ts";
import { lookUpPageOwner } from "./webfinger.ts";

export type ByActor = {
  /** Look up a known person again: a key may have been rotated. */
  readonly refresh?: boolean;
  /** The document, if it has just been fetched from its own id. */
  readonly actor?: RemoteActor | undefined;
  /** Throw where no server answered, instead of finding nobody. */
  readonly throwsIfSilent?: boolean;
};

/** The result of a look-up; `silent`: a server did not answer. */
type Found =
  | { readonly kind: "found"; readonly person: Person }
  | { readonly kind: "none" | "silent"; readonly person?: never };

/** Finds people, locally and on the network. */
export type Discovery = ReturnType<typeof createDiscovery>;

const SEARCH_MS = 9_500;
const FRESH_MS = 24 * 3_600_000;
const FAILURE_REMEMBERED_MS = 5 * 60_000;
/** A server may be restarting, and all that its people sign is refused until it is asked again. */
const SILENCE_REMEMBERED_MS = 30_000;
const MAX_REMEMBERED_FAILURES = 10_000;
/**
 * Look-ups caused by messages of strangers: of one host, and because of one
 * source.
 */
const STRANGERS = { max: 300, windowMs: 600_000 };

export function createDiscovery(deps: DiscoveryDeps) {
  const { people, clock, log } = deps;
  const running = new Map<string, Promise<Found>>();
  const failures = createLruCache<string, Exclude<Found["kind"], "found">>({
    ...{ max: MAX_REMEMBERED_FAILURES, keepMs: FAILURE_REMEMBERED_MS, clock },
  });
  const hosts = createRateLimit({ clock, ...STRANGERS });
  const sources = createRateLimit({ clock, ...STRANGERS });

  const hasFailed = (key: string) => failures.get(key) !== undefined;
  const fail = (key: string) => failures.set(key, "none");

  /**
   * Shares concurrent look-ups; failed ones are remembered for a while.
   * @throws an error of our own database, which is not remembered
   */
  async function once(
    key: string,
    look: () => Promise<Person | undefined>,
  ): Promise<Found> {
    const current = running.get(key);
    if (current) return current;
    const failed = failures.get(key);
    if (failed !== undefined) return { kind: failed };
    const looking = look()
      .then(
        (person): Found =>
          person ? { kind: "found", person } : { kind: "none" },
        (error: unknown) => failedLookUp(key, error),
      )
      .then((found) => {
        if (found.kind === "found") failures.delete(key);
        else if (found.kind === "none") failures.set(key, "none");
        else failures.set(key, "silent", SILENCE_REMEMBERED_MS);
        return found;
      })
      .finally(() => running.delete(key));
    running.set(key, looking);
    return looking;
  }

  function failedLookUp(key: string, error: unknown): Found {
    if (isOwnFailure(error)) throw error;
    log.debug({ key, error: messageOf(error) }, "Discovery failed");
    if (error instanceof HostFailed) fail(error.key);
    const isSilent =
      error instanceof HostFailed || error instanceof FetchRefused;
    return { kind: isSilent ? "silent" : "none" };
  }

  /**
   * Finds a person by handle: a known one, or on the network.
   * @param source the sender of the message that causes the look-up, if any:
   *   each may cause a limited number, each host is asked a limited number of
   *   times, and a host that is down is not asked again for a while, whatever
   *   handles are made up for it
   * @param options.forDiaspora the diaspora* key is needed: a person known
   *   without it is looked up again
   */
  async function byHandle(
    text: string,
    source?: string,
    options: { readonly forDiaspora?: boolean } = {},
  ): Promise<Person | undefined> {
    const handle = parseHandle(text);
    if (!handle || !(await deps.isHostAllowed(handle.host))) return undefined;
    const name = formatHandle(handle);
    const known = await people.find({ handle: name });
    if (handle.host === deps.handleHost)
      return known?.state === "active" ? known : undefined;
    const keyName = `diaspora* key of ${name}`;
    const lacksKey = options.forDiaspora === true && !hasFailed(keyName);
    const isEnough = known && (known.hasDiasporaKey || !lacksKey);
    if (isEnough && isFresh(known, clock)) return known;
    if (known?.state === "shut_out") return known;
    const mayLook =
      source === undefined ||
      (!hasFailed(name) &&
        !hasFailed(hostKey(handle)) &&
        sources.take(source) &&
        hosts.take(handle.host));
    if (!mayLook) return known;
    const { person } = await once(name, () => discoverHandle(deps, handle));
    if (lacksKey && person?.hasDiasporaKey !== true) fail(keyName);
    return person ?? known;
  }

  /**
   * Finds a person by actor id: a known one, or on the network.
   * @throws {KithError} `unavailable`, if asked to
   */
  async function byActor(
    uri: string,
    options: ByActor = {},
  ): Promise<Person | undefined> {
    if (!(await deps.isHostAllowed(uri))) return undefined;
    const known = await people.find({ uri });
    if (known?.state === "shut_out") return known;
    if (known && !options.refresh) return known;
    const { actor, throwsIfSilent } = options;
    const found = await once(uri, () => discoverActor(deps, uri, actor));
    if (found.kind === "silent" && throwsIfSilent === true)
      throw new KithError("unavailable", "A server does not answer.");
    return found.person ?? known;
  }

  /**
   * The same while a user waits for the answer, at most 10 s. A user may search
   * right after the other server came up, so an earlier failure does not count.
   * People known to have left are not found.
   */
  async function search(text: string): Promise<Person | undefined> {
    const handle = parseHandle(text);
    if (handle) failures.delete(formatHandle(handle));
    const looking = byHandle(text);
    return stillHere(await withTimeout(looking, SEARCH_MS));
  }

  return {
    byHandle,
    search,
    byActor,
    /**
     * Looks up a person again who has said itself that it changed, whatever happened before.
     * @throws {KithError} `unavailable` if its server does not answer
     */
    refresh: (uri: string): Promise<Person | undefined> => {
      if (failures.get(uri) === "none") failures.delete(uri);
      return byActor(uri, { refresh: true, throwsIfSilent: true });
    },
    /** The same by actor id while a user waits. */
    searchActor: async (
      uri: string,
      options: ByActor = {},
    ): Promise<Person | undefined> => {
      failures.delete(uri);
      const looking = byActor(uri, options);
      return stillHere(await withTimeout(looking, SEARCH_MS));
    },
    /** Finds the person whom the server of a page names as its owner. */
    searchPage: async (url: URL): Promise<Person | undefined> => {
      const handle = await lookUpPageOwner(deps.fetch, url);
      return handle && search(formatHandle(handle));
    },
  };
}

function stillHere(person: Person | undefined): Person | undefined {
  return person?.state === "active" ? person : undefined;
}

function isFresh(person: Person, clock: Clock): boolean {
  return clock.now().getTime() - Date.parse(person.updatedAt) < FRESH_MS;
}
