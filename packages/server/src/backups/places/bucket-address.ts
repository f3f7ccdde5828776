import { OperatorError } from "../../lib/errors.ts";
import { readS3Url, type S3Place } from "../../lib/object-store/s3-place.ts";
import { IS_BACKUP_NAME } from "./backup-folder.ts";

const IS_BUCKET = /^s3(?:\+http)?:\/\//;
/** Without a host and a key: those of a setting. */
const SHORT = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** Is it meant as the address of a bucket? */
export function isBucketAddress(text: string): boolean {
  return IS_BUCKET.test(text);
}

/**
 * Reads the address of a place of backups, or of one of them: with its host and key, or as
 * `s3://bucket/prefix`, for which the settings have these.
 * @param known the places of the settings, the most likely first
 * @throws {OperatorError} which repeats no secret
 */
export function readBucketAddress(
  text: string,
  known: readonly S3Place[],
): { readonly place: S3Place; readonly name: string | undefined } {
  const place = readS3Url(text) ?? readShort(text, known);
  const folders = place.prefix.split("/").filter((it) => it !== "");
  const last = folders.at(-1) ?? "";
  if (!IS_BACKUP_NAME.test(last)) return { place, name: undefined };
  const above = folders.slice(0, -1).map((folder) => `${folder}/`);
  return { place: { ...place, prefix: above.join("") }, name: last };
}

function readShort(text: string, known: readonly S3Place[]): S3Place {
  const [, bucket, path = ""] = SHORT.exec(text) ?? [];
  if (bucket === undefined)
    throw new OperatorError(
      "The bucket must be an address such as s3://KEY_ID:SECRET@host/bucket/prefix?region=eu-central-1, or s3://bucket/prefix with the host and the key of KITH_BACKUP_URL or KITH_MEDIA_URL.",
    );
  const setting = known.find((it) => it.bucket === bucket) ?? known[0];
  if (!setting)
    throw new OperatorError(
      "Neither KITH_BACKUP_URL nor KITH_MEDIA_URL is set, which have the host and the key for s3://bucket/prefix. Set one, or write s3://KEY_ID:SECRET@host/bucket/prefix?region=eu-central-1.",
    );
  const folders = path.split("/").filter((it) => it !== "");
  const prefix = folders.map((folder) => `${folder}/`).join("");
  return { ...setting, bucket, prefix };
}

/** The short form of an address, which has no secret. */
export function showBucket({ bucket, prefix }: S3Place, name = ""): string {
  return `s3://${bucket}/${prefix}${name}`.replace(/\/$/, "");
}
