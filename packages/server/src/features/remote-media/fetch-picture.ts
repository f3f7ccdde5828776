import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import { imageFormatOf } from "../../lib/images/image.ts";

/** Bytes of one picture. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

const TIMEOUT_MS = 10_000;

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
};

export type FetchPictureDeps = {
  readonly fetch: Pick<GuardedFetch, "request">;
  /** May pictures of this address be shown? */
  readonly mayShow: (url: string) => Promise<boolean>;
  /** For the whole of one fetch; 10 s by default. */
  readonly timeoutMs?: number;
};

type FetchedPicture =
  | { readonly kind: "picture"; readonly bytes: Uint8Array }
  /** It no longer exists. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed" };

/**
 * Fetches a picture unsigned: the other server learns the address of this
 * server, and nothing about the reader. Documents such as SVG and HTML are not
 * pictures, whatever type they have.
 */
export async function fetchPicture(
  { fetch, mayShow, timeoutMs = TIMEOUT_MS }: FetchPictureDeps,
  url: string,
): Promise<FetchedPicture> {
  try {
    const { status, headers, body } = await fetch.request({
      method: "GET",
      url,
      headers: HEADERS,
      maxBytes: MAX_PICTURE_BYTES,
      timeoutMs,
      accept2xxOnly: true,
      mayContact: mayShow,
    });
    if (status === 404 || status === 410) return { kind: "gone" };
    const isPicture =
      status === 200 &&
      /^image\//i.test(headers["content-type"] ?? "") &&
      imageFormatOf(body) !== undefined;
    return isPicture ? { kind: "picture", bytes: body } : { kind: "failed" };
  } catch (error) {
    if (error instanceof FetchRefused) return { kind: "failed" };
    throw error;
  }
}
