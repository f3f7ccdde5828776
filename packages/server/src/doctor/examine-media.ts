import { failed, ok, skipped, type Finding } from "../lib/finding.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";
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
