import { Readable } from "node:stream";
import { KithError } from "../../lib/errors.ts";
import type { ByteRange, StoredMedia } from "../../lib/media/media-store.ts";
import {
  CHUNK_BYTES,
  fetchChunk,
  type RecordingHead,
} from "./fetch-recording.ts";
import type { FetchPictureDeps } from "./fetch-picture.ts";
import type { FileCache } from "./file-cache.ts";

/** A recording of another server, ready to be streamed. */
export type CachedRecording = {
  readonly mediaType: string;
  /** The ETag of this version. */
  readonly tag: string;
  readonly fetchedAt: Date;
  /** Bytes that one response sends at most of a longer part. */
  readonly maxPartBytes: number;
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
};

const MAX_PART_BYTES = 8 * CHUNK_BYTES;
/** The share of the budget that one recording may take: a long film displaces nothing. */
const MAX_SHARE = 1 / 8;

/**
 * The recordings of other servers, in chunks: what nobody plays is not fetched,
 * and none is in memory as a whole.
 */
export function createRecordingCache(
  deps: FetchPictureDeps & {
    readonly files: FileCache;
    /** Of the whole cache. */
    readonly maxBytes: number;
    /** Runs one fetch from this host when its turn comes. */
    readonly run: <T>(url: string, fetch: () => Promise<T>) => Promise<T>;
  },
) {
  const { files } = deps;
  const isKept = ({ size }: RecordingHead): boolean =>
    size <= deps.maxBytes * MAX_SHARE;
  const running = new Map<string, Promise<Uint8Array | undefined>>();
  const headName = (url: string) => `recording ${url}`;
  const chunkName = (url: string, { version }: RecordingHead, chunk: number) =>
    `chunk ${chunk} of ${version} ${url}`;

  /** All who ask for a chunk at the same time wait for one fetch. */
  function fetchOnce(url: string, head: RecordingHead, chunk: number) {
    const name = chunkName(url, head, chunk);
    const before = running.get(name);
    if (before) return before;
    const fetching = deps
      .run(url, () => fetchChunk(deps, url, head, chunk))
      .then(async (bytes) => {
        // The file has changed, or is gone: it is looked at anew next time.
        if (!bytes) await files.remove(headName(url));
        else if (isKept(head)) await files.put(name, bytes);
        return bytes;
      })
      .finally(() => running.delete(name));
    running.set(name, fetching);
    return fetching;
  }

  async function* read(
    url: string,
    head: RecordingHead,
    { start, end }: ByteRange,
  ): AsyncGenerator<Uint8Array> {
    for (let at = start; at <= end;) {
      const chunk = Math.floor(at / CHUNK_BYTES);
      const from = at - chunk * CHUNK_BYTES;
      const to = Math.min(CHUNK_BYTES - 1, end - chunk * CHUNK_BYTES);
      const stored = await files.find(chunkName(url, head, chunk));
      const found = await stored?.open({ start: from, end: to });
      if (found) yield* bytesOf(found.stream);
      else {
        const bytes = await fetchOnce(url, head, chunk);
        if (!bytes)
          throw new KithError("unavailable", "A part cannot be fetched.");
        yield bytes.subarray(from, to + 1);
      }
      at = (chunk + 1) * CHUNK_BYTES;
    }
  }

  return {
    find: async (url: string): Promise<CachedRecording | undefined> => {
      const file = await files.find(headName(url));
      const head = file && readHead(file.head);
      if (!head) return undefined;
      const { size, version } = head;
      return {
        mediaType: head.mediaType,
        tag: `"${version}"`,
        fetchedAt: file.fetchedAt,
        maxPartBytes: MAX_PART_BYTES,
        open: async (part = { start: 0, end: size - 1 }) => ({
          size,
          stream: Readable.from(read(url, head, part), { objectMode: false }),
        }),
      };
    },
    /** @param bytes from the first one on */
    put: async (
      url: string,
      head: RecordingHead,
      bytes: Uint8Array,
    ): Promise<void> => {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
        await files.put(
          chunkName(url, head, at / CHUNK_BYTES),
          bytes.subarray(at, at + CHUNK_BYTES),
        );
      await files.put(headName(url), Buffer.from(JSON.stringify(head)));
    },
    /** The head first: without it nothing of the rest is found. */
    remove: async (url: string): Promise<void> => {
      const file = await files.find(headName(url));
      const head = file && readHead(file.head);
      await files.remove(headName(url));
      if (!head || !isKept(head)) return;
      for (let chunk = 0; chunk * CHUNK_BYTES < head.size; chunk += 1)
        await files.remove(chunkName(url, head, chunk));
    },
  };
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of stream)
    if (piece instanceof Uint8Array) yield piece;
}

function isHead(value: unknown): value is RecordingHead {
  return (
    typeof value === "object" &&
    value !== null &&
    ["mediaType", "version", "etag"].every(
      (name) => typeof Reflect.get(value, name) === "string",
    ) &&
    typeof Reflect.get(value, "size") === "number"
  );
}

/** Only this server writes it, but a disk may have lost a part of it. */
function readHead(bytes: Uint8Array): RecordingHead | undefined {
  try {
    const head: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isHead(head) ? head : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
