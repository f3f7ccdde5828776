import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { KithError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { createFetchQueue } from "./fetch-queue.ts";
import { fetchPicture, type FetchPictureDeps } from "./fetch-picture.ts";
import { createPictureCache, type CachedPicture } from "./picture-cache.ts";
import type { ProxyAddresses } from "./proxy-address.ts";

export { MAX_PICTURE_BYTES } from "./fetch-picture.ts";
export {
  createProxyAddresses,
  hideProxyAddresses,
  PROXY_PATH,
} from "./proxy-address.ts";
export type { ProxyAddresses } from "./proxy-address.ts";

export type RemoteMediaDeps = FetchPictureDeps & {
  readonly addresses: ProxyAddresses;
  /** Of the cache; may be shared by several processes. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly clock: Clock;
};

/** Fetches at once; each keeps a whole picture in memory. */
const QUEUE_LIMITS = {
  maxRunning: 8,
  maxRunningPerHost: 4,
  maxWaiting: 256,
  maxWaitingPerHost: 64,
};

/** For how long a failure is remembered, and how many of them. */
const FAILURE_MS = 10 * 60_000;
const MAX_FAILURES = 20_000;

/** After this time a picture is fetched again: its author may have deleted it. */
const FRESH_MS = 7 * 24 * 3_600_000;

/** Pictures of other servers, which readers load from here. */
export type RemoteMedia = ReturnType<typeof createRemoteMedia>;

export function createRemoteMedia(deps: RemoteMediaDeps) {
  const { addresses, clock, mayShow } = deps;
  const cache = createPictureCache(deps);
  const queue = createFetchQueue(QUEUE_LIMITS);
  const failures = createLruCache<string, true>({
    ...{ max: MAX_FAILURES, keepMs: FAILURE_MS, clock },
  });
  const running = new Map<string, Promise<void>>();

  const isFresh = ({ fetchedAt }: CachedPicture): boolean =>
    clock.now().getTime() - fetchedAt.getTime() < FRESH_MS;

  async function fetchInto(url: string): Promise<void> {
    const host = URL.parse(url)?.host ?? "";
    const fetched = await queue.run(host, () => fetchPicture(deps, url));
    if (fetched.kind === "picture") return cache.put(url, fetched.bytes);
    failures.set(url, true);
    if (fetched.kind === "gone") await cache.remove(url);
  }

  /** All who ask for a picture at the same time wait for one fetch. */
  function fetchOnce(url: string): Promise<void> {
    const before = running.get(url);
    if (before) return before;
    const fetching = fetchInto(url).finally(() => running.delete(url));
    running.set(url, fetching);
    return fetching;
  }

  return {
    addressOf: addresses.addressOf,
    /**
     * A picture by the last two segments of its address here.
     * @throws {KithError} `unavailable` if too many pictures are fetched now
     */
    find: async (
      signature: string,
      encoded: string,
    ): Promise<CachedPicture | undefined> => {
      const url = addresses.verify(signature, encoded);
      // Decided anew each time: a host may have been refused meanwhile.
      if (url === undefined || !(await mayShow(url))) return undefined;
      const kept = await cache.find(url);
      if (failures.has(url) || (kept && isFresh(kept))) return kept;
      await fetchOnce(url).catch((error: unknown) => {
        if (!kept || !isUnavailable(error)) throw error;
      });
      return cache.find(url);
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof KithError && error.code === "unavailable";
}
