import { failed, ok, skipped, type Finding } from "../lib/finding.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { MediaStore } from "../lib/media/media-store.ts";

/** A key that no upload has. */
const NOTHING = "kith-doctor-looks-for-nothing";

/** Does the object store let this server in? Nothing is stored. */
export async function examineMedia(
  objects: Pick<MediaStore, "open"> | null,
): Promise<Finding> {
  const check = "uploads";
  if (!objects)
    return skipped(
      check,
      "KITH_MEDIA_URL is not set: uploads are in the data directory.",
    );
  try {
    await objects.open(NOTHING);
    return ok(check, "The object store lets this server in.");
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return failed(
      check,
      messageOf(error),
      "Correct KITH_MEDIA_URL: host, bucket, region, key and secret. The key must be allowed to read, write, delete and list.",
    );
  }
}

const MAX_BYTES = 64 * 1024;

/** Does the host of public files lead here, with its own name? Pages are not served there. */
export async function examineMediaHost(
  origin: string | null,
  fetch: Pick<GuardedFetch, "request">,
): Promise<Finding> {
  const check = "host of files";
  if (origin === null)
    return skipped(
      check,
      "KITH_MEDIA_HOST is not set: files are sent at the base URL.",
    );
  try {
    const url = `${origin}/users/sign_in`;
    const asked = { method: "GET", url, maxBytes: MAX_BYTES } as const;
    const { status } = await fetch.request(asked);
    if (status === 404) return ok(check, `${origin} answers for files alone.`);
    return failed(
      check,
      `${origin} answers ${status} to a request for a page: Kith does not see this name in Host, and would redirect files in a circle.`,
      "Let the proxy or the CDN send the name of this host in Host, or leave KITH_MEDIA_HOST empty.",
    );
  } catch (error) {
    return failed(
      check,
      `${origin} does not answer: ${messageOf(error)}`,
      "Let this name lead to this server, or leave KITH_MEDIA_HOST empty.",
    );
  }
}
