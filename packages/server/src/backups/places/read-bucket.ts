import { OperatorError } from "../../lib/errors.ts";
import type { S3Client } from "../../lib/object-store/s3-client.ts";
import {
  compareFiles,
  missingFile,
  takeFile,
  type ReadOptions,
} from "../check-files.ts";
import type { BackupFile, Manifest } from "../manifest.ts";
import { showBucket } from "./bucket-address.ts";
import {
  contentKey,
  listNames,
  openObject,
  readBucketManifest,
} from "./bucket-content.ts";

/** A backup in a bucket; without a name, all those below a prefix. */
export type BucketBackup = {
  readonly client: S3Client;
  readonly name: string | undefined;
};

/** Reads and checks all of a backup in a bucket. @throws {OperatorError} */
export async function readBucketBackup(
  { client, name }: BucketBackup,
  folder: string,
  options: ReadOptions,
): Promise<Manifest> {
  if (name === undefined) throw await explainNoName(client);
  const manifest = await readBucketManifest(client, name);
  const found: BackupFile[] = [];
  const ofAll = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, sha256 } of manifest.files) {
    const chunks = await openObject(client, contentKey(sha256));
    if (!chunks) throw missingFile(path);
    await takeFile(chunks, path, folder, { ...options, ofAll }, found);
  }
  compareFiles(manifest, found);
  return manifest;
}

async function explainNoName(client: S3Client): Promise<OperatorError> {
  const shown = showBucket(client.place);
  const [newest] = await listNames(client);
  return new OperatorError(
    newest === undefined
      ? `There is no backup at ${shown}.`
      : `${shown} holds several backups. Name one of them, such as ${showBucket(client.place, newest)}, the newest.`,
  );
}
