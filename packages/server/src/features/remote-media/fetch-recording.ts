import { createHash } from "node:crypto";
import { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import {
  recordingFormatOf,
  type RecordingFormat,
} from "../../lib/recordings/recording.ts";
import type { FetchPictureDeps } from "./fetch-picture.ts";

/** Bytes that are fetched, and stored, at once. */
export const CHUNK_BYTES = 1024 * 1024;
/** Bytes of a recording whose server sends no parts of it. */
export const MAX_WHOLE_BYTES = 10 * 1024 * 1024;
const MAX_RECORDING_BYTES = 4 * 1024 ** 3;
const TIMEOUT_MS = 20_000;

/** A recording of another server, of which the parts are fetched as they are played. */
export type RecordingHead = {
  readonly mediaType: string;
  readonly size: number;
  /** Names this version of the file. */
  readonly version: string;
  /** The strong ETag of the other server; empty if it has none. */
  readonly etag: string;
};

type FetchedHead =
  | {
      readonly kind: "recording";
      readonly head: RecordingHead;
      /** From the first byte on: the first chunk, or the whole file. */
      readonly bytes: Uint8Array;
    }
  /** It no longer exists. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed" };

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/**
 * Fetches the beginning of a recording, unsigned as a picture is: the other
 * server learns the address of this server, and nothing about the reader. Other
 * files are refused, whatever type they have.
 */
export async function fetchRecordingHead(
  deps: FetchPictureDeps,
  url: string,
): Promise<FetchedHead> {
  const fetched = await fetchPart(deps, url, 0, "");
  if (fetched === undefined) return { kind: "failed" };
  const { status, headers, body } = fetched;
  if (status === 404 || status === 410) return { kind: "gone" };
  const format = recordingFormatOf(body);
  const size = status === 200 ? body.length : partOf(headers, 0, body)?.size;
  if (format === undefined || size === undefined) return { kind: "failed" };
  const etag = strongTag(headers["etag"]);
  const named = etag || (headers["last-modified"] ?? "");
  const version = createHash("sha256")
    .update(`${size} ${named}\n`)
    .update(body)
    .digest("hex");
  const mediaType = mediaTypeOf(format, headers["content-type"] ?? "");
  return {
    kind: "recording",
    head: { mediaType, size, version: version.slice(0, 24), etag },
    bytes: body,
  };
}

/**
 * Fetches one chunk of a recording that is known.
 * @returns undefined if it cannot be had, or the file has changed
 */
export async function fetchChunk(
  deps: FetchPictureDeps,
  url: string,
  { size, etag }: RecordingHead,
  chunk: number,
): Promise<Uint8Array | undefined> {
  const start = chunk * CHUNK_BYTES;
  const fetched = await fetchPart(deps, url, start, etag);
  if (fetched?.status !== 206) return undefined;
  const { headers, body } = fetched;
  const isSame = etag === "" || strongTag(headers["etag"]) === etag;
  const part = partOf(headers, start, body);
  const wanted = Math.min(CHUNK_BYTES, size - start);
  return isSame && part?.size === size && body.length === wanted
    ? body
    : undefined;
}

async function fetchPart(
  { fetch, mayShow, timeoutMs = TIMEOUT_MS }: FetchPictureDeps,
  url: string,
  start: number,
  etag: string,
) {
  try {
    return await fetch.request({
      method: "GET",
      url,
      headers: {
        accept: "video/*,audio/*",
        "accept-encoding": "identity",
        range: `bytes=${start}-${start + CHUNK_BYTES - 1}`,
        ...(etag !== "" && { "if-range": etag }),
      },
      maxBytes: MAX_WHOLE_BYTES,
      timeoutMs,
      accept2xxOnly: true,
      mayContact: mayShow,
    });
  } catch (error) {
    if (error instanceof FetchRefused) return undefined;
    throw error;
  }
}

/** The part that a response says to have, if that is what was asked for. */
function partOf(
  headers: Record<string, string>,
  start: number,
  body: Uint8Array,
): { readonly size: number } | undefined {
  const [, first, last, all] =
    CONTENT_RANGE.exec(headers["content-range"] ?? "") ?? [];
  const size = Number(all);
  const isWhole = Number(last) + 1 === size || body.length === CHUNK_BYTES;
  const isAsked =
    Number(first) === start && Number(last) === start + body.length - 1;
  return isAsked && isWhole && size <= MAX_RECORDING_BYTES
    ? { size }
    : undefined;
}

/** Only a strong one names the same bytes (RFC 9110, section 8.8.1). */
function strongTag(etag = ""): string {
  return /^"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : "";
}

const SOUND_TYPES: Readonly<Record<RecordingFormat, string>> = {
  mp4: "audio/mp4",
  webm: "audio/webm",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
};

/** The container is known by its bytes; only its server knows whether it is a sound. */
function mediaTypeOf(format: RecordingFormat, declared: string): string {
  const isVideo = !/^audio\//i.test(declared);
  const mayBeVideo = format === "mp4" || format === "webm";
  return isVideo && mayBeVideo ? `video/${format}` : SOUND_TYPES[format];
}
