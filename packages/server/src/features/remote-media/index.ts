import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { KithError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { createFetchQueue } from "../../lib/limits/fetch-queue.ts";
import { fetchPicture, type FetchPictureDeps } from "./fetch-picture.ts";
import { fetchRecordingHead } from "./fetch-recording.ts";
import { createFileCache } from "./file-cache.ts";
import { createPictureCache, type CachedPicture } from "./picture-cache.ts";
import type { ProxyAddresses } from "./proxy-address.ts";
import {
  createRecordingCache,
  type CachedRecording,
} from "./recording-cache.ts";

export { trimFolder } from "./file-cache.ts";
export { MAX_PICTURE_BYTES } from "./fetch-picture.ts";
export {
  createProxyAddresses,
  hideProxyAddresses,
  PROXY_PATH,
  STREAM_PATH,
} from "./proxy-address.ts";
export type { ProxyAddresses } from "./proxy-address.ts";

export type RemoteMediaDeps = FetchPictureDeps & {
  readonly addresses: ProxyAddresses;
  /** Of the cache; may be shared by several processes. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly clock: Clock;
};

/** Fetches at once; each keeps a whole picture, or a part of a recording, in memory. */
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

/** Pictures, sounds and videos of other servers, which readers load from here. */
export type RemoteMedia = ReturnType<typeof createRemoteMedia>;

export function createRemoteMedia(deps: RemoteMediaDeps) {
  const { addresses, clock, mayShow } = deps;
  const queue = createFetchQueue(QUEUE_LIMITS);
  const run = <T>(url: string, fetch: () => Promise<T>): Promise<T> =>
    queue.run(URL.parse(url)?.host ?? "", fetch);
  const files = createFileCache(deps);
  const pictures = createPictureCache(files);
  const recordings = createRecordingCache({ ...deps, files, run });
  const failures = createLruCache<string, true>({
    ...{ max: MAX_FAILURES, keepMs: FAILURE_MS, clock },
  });
  const running = new Map<string, Promise<void>>();

  const isFresh = ({ fetchedAt }: { readonly fetchedAt: Date }): boolean =>
    clock.now().getTime() - fetchedAt.getTime() < FRESH_MS;

  async function fetchBytes(url: string): Promise<Uint8Array | undefined> {
    const fetched = await run(url, () => fetchPicture(deps, url));
    return fetched.kind === "picture" ? fetched.bytes : undefined;
  }

  async function fetchPictureInto(url: string): Promise<void> {
    const fetched = await run(url, () => fetchPicture(deps, url));
    if (fetched.kind === "picture") return pictures.put(url, fetched.bytes);
    failures.set(url, true);
    if (fetched.kind === "gone") await pictures.remove(url);
  }

  async function fetchRecordingInto(url: string): Promise<void> {
    const fetched = await run(url, () => fetchRecordingHead(deps, url));
    if (fetched.kind === "recording")
      return recordings.put(url, fetched.head, fetched.bytes);
    failures.set(url, true);
    if (fetched.kind === "gone") await recordings.remove(url);
  }

  /** All who ask for a file at the same time wait for one fetch. */
  function fetchOnce(
    url: string,
    fetchInto: (url: string) => Promise<void>,
  ): Promise<void> {
    const before = running.get(url);
    if (before) return before;
    const fetching = fetchInto(url).finally(() => running.delete(url));
    running.set(url, fetching);
    return fetching;
  }

  async function find<File extends { readonly fetchedAt: Date }>(
    url: string | undefined,
    cache: { find(url: string): Promise<File | undefined> },
    fetchInto: (url: string) => Promise<void>,
  ): Promise<File | undefined> {
    // Decided anew each time: a host may have been refused meanwhile.
    if (url === undefined || !(await mayShow(url))) return undefined;
    const kept = await cache.find(url);
    if (failures.has(url) || (kept && isFresh(kept))) return kept;
    await fetchOnce(url, fetchInto).catch((error: unknown) => {
      if (!kept || !isUnavailable(error)) throw error;
    });
    return cache.find(url);
  }

  return {
    /** A picture by its address elsewhere, not kept; undefined if it is not given. */
    fetchBytes,
    /** Removes what is kept of a file, which readers have no right to see any more. */
    forget: async (url: string): Promise<void> => {
      await pictures.remove(url);
      await recordings.remove(url);
    },
    addressOf: addresses.addressOf,
    streamAddressOf: addresses.streamAddressOf,
    /**
     * A picture by the last two segments of its address here.
     * @throws {KithError} `unavailable` if too many files are fetched now
     */
    find: (
      signature: string,
      encoded: string,
    ): Promise<CachedPicture | undefined> =>
      find(addresses.verify(signature, encoded), pictures, fetchPictureInto),
    /** The same for a sound or a video. Its parts are fetched while they are read. */
    findRecording: (
      signature: string,
      encoded: string,
    ): Promise<CachedRecording | undefined> =>
      find(
        addresses.verifyStream(signature, encoded),
        recordings,
        fetchRecordingInto,
      ),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof KithError && error.code === "unavailable";
}
