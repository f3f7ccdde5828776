import { createS3Client } from "../../lib/object-store/s3-client.ts";
import type { S3Place } from "../../lib/object-store/s3-place.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { backupName } from "./backup-folder.ts";
import type { BackupPlace } from "./backup-place.ts";
import { showBucket } from "./bucket-address.ts";
import {
  findManifest,
  listContent,
  listNames,
  removeBackup,
  removeUnnamed,
} from "./bucket-content.ts";
import { withBucket } from "./bucket-lock.ts";
import { writeBucketIn } from "./write-bucket.ts";

/** Backups below a prefix of a bucket. @param partBytes how much of a large file is in memory */
export function createBucketPlace(
  place: S3Place,
  clock: Clock,
  partBytes?: number,
): BackupPlace {
  const client = createS3Client(place);
  const shown = showBucket(place);
  return {
    name: shown,
    write: (list, note) =>
      withBucket(client, shown, () =>
        writeBucketIn(client, clock, partBytes)(list, note),
      ),
    findNewest: async (before) => {
      const last = before && backupName(timestamp(before));
      for (const name of await listNames(client)) {
        if (last !== undefined && name > last) continue;
        const manifest = await findManifest(client, name);
        if (manifest) return { path: showBucket(place, name), manifest };
      }
      return undefined;
    },
    prune: (keep, made) =>
      withBucket(client, shown, async () => {
        const held = await listContent(client);
        const whole: string[] = [];
        for (const name of await listNames(client)) {
          const files = (await findManifest(client, name))?.files;
          if (files?.every((it) => held.get(it.sha256) === it.bytes))
            whole.push(name);
        }
        const old = whole
          // A later name is of a clock that was wrong, and says nothing of its age.
          .filter(
            (name) => made === undefined || showBucket(place, name) <= made,
          )
          .slice(Math.max(1, keep));
        for (const name of old) await removeBackup(client, name);
        if (old.length > 0) await removeUnnamed(client);
        return old.map((name) => showBucket(place, name));
      }),
  };
}
