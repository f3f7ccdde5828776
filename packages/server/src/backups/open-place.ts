import { OperatorError } from "../lib/errors.ts";
import { createS3Client } from "../lib/object-store/s3-client.ts";
import type { S3Place } from "../lib/object-store/s3-place.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { BackupTarget } from "./make-backup.ts";
import type { BackupSource } from "./read-backup.ts";
import {
  isBucketAddress,
  readBucketAddress,
  showBucket,
} from "./places/bucket-address.ts";
import { createBucketPlace } from "./places/bucket-place.ts";
import { createFolderPlace } from "./places/folder-place.ts";
import { ARCHIVE_ENDING, writeArchiveTo } from "./places/write-archive.ts";

/**
 * Where a backup is to be written: below the prefix of a bucket, into one file if the name ends
 * with `.tar`, or into a folder of backups.
 * @param known the buckets of the settings, for addresses without a key
 * @throws {OperatorError}
 */
export function openTarget(
  destination: string,
  clock: Clock,
  known: readonly S3Place[],
): BackupTarget {
  if (isBucketAddress(destination)) {
    const { place, name } = readBucketAddress(destination, known);
    if (name !== undefined)
      throw new OperatorError(
        `A backup gets its name by itself: write ${showBucket(place)} instead.`,
      );
    return createBucketPlace(place, clock);
  }
  return destination.endsWith(ARCHIVE_ENDING)
    ? { name: destination, write: writeArchiveTo(destination, clock) }
    : createFolderPlace(destination, clock);
}

/** A backup to read, as an operator names it. @throws {OperatorError} */
export function openSource(
  backup: string,
  known: readonly S3Place[],
): BackupSource {
  if (!isBucketAddress(backup)) return backup;
  const { place, name } = readBucketAddress(backup, known);
  return { client: createS3Client(place), name };
}
