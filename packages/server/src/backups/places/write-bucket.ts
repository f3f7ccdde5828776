import { createHash } from "node:crypto";
import { OperatorError } from "../../lib/errors.ts";
import {
  putInBucket,
  type S3Client,
} from "../../lib/object-store/s3-client.ts";
import {
  PART_BYTES,
  partBytesFor,
  uploadParts,
} from "../../lib/object-store/upload-parts.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import {
  hashing,
  type BackupEntry,
  type WriteBackup,
} from "../backup-entry.ts";
import { MANIFEST, MANIFEST_SUM, type BackupFile } from "../manifest.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { showBucket } from "./bucket-address.ts";
import {
  contentKey,
  findManifest,
  listContent,
  listNames,
  manifestKey,
  sumKey,
  type HeldContent,
} from "./bucket-content.ts";
import { backupName } from "./backup-folder.ts";

type Writing = {
  readonly client: S3Client;
  readonly held: HeldContent;
  /** The files of the newest backup, by their paths. */
  readonly earlier: ReadonlyMap<string, BackupFile>;
  readonly note: (file: BackupFile) => void;
  readonly partBytes: number;
};

/**
 * Writes a backup into a bucket, which the caller has locked. Each content is one object, however
 * many backups name it. @param partBytes how much of a large file is in memory
 */
export function writeBucketIn(
  client: S3Client,
  clock: Clock,
  partBytes = PART_BYTES,
): WriteBackup {
  return async (list, note) => {
    const { folder: work, remove } = await makeTemporaryFolder("kith-backup-");
    try {
      const held = await listContent(client);
      const earlier = await indexNewest(client);
      const writing = { client, held, earlier, note, partBytes };
      const texts = new Map<string, Buffer>();
      for await (const entry of list(work))
        if (entry.path === MANIFEST || entry.path === MANIFEST_SUM)
          texts.set(entry.path, await readSmall(entry, note));
        else await addContent(writing, entry);
      const name = backupName(timestamp(clock.now()));
      await putText(client, manifestKey(name), texts.get(MANIFEST));
      await putText(client, sumKey(name), texts.get(MANIFEST_SUM));
      return showBucket(client.place, name);
    } finally {
      await remove();
    }
  };
}

async function indexNewest(
  client: S3Client,
): Promise<ReadonlyMap<string, BackupFile>> {
  for (const name of await listNames(client)) {
    const manifest = await findManifest(client, name);
    if (manifest) return new Map(manifest.files.map((it) => [it.path, it]));
  }
  return new Map();
}

async function addContent(
  { client, held, earlier, note, partBytes }: Writing,
  entry: BackupEntry,
): Promise<void> {
  const known = entry.isImmutable ? earlier.get(entry.path) : undefined;
  if (known && held.get(known.sha256) === known.bytes) return note(known);
  const read = await readOnce(entry, partBytes);
  if (!read) return;
  const { sha256, bytes, whole } = read;
  if (held.get(sha256) !== bytes) {
    const key = contentKey(sha256);
    if (whole) await putInBucket(client, key, whole);
    else if (!(await sendLarge(client, entry, read, partBytes))) return;
    held.set(sha256, bytes);
  }
  note({ path: entry.path, bytes, sha256 });
}

type Read = {
  readonly sha256: string;
  readonly bytes: number;
  /** Of a file that is no longer than a part. */
  readonly whole: Buffer | undefined;
};

/** The address of a content is its hash, so that it is read before it is sent. */
async function readOnce(
  entry: BackupEntry,
  partBytes: number,
): Promise<Read | undefined> {
  const content = await entry.open();
  if (!content) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  let start: Uint8Array[] = [];
  for await (const chunk of content.chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes <= partBytes) start.push(chunk);
    else start = [];
  }
  const whole = bytes <= partBytes ? Buffer.concat(start) : undefined;
  return { sha256: hash.digest("hex"), bytes, whole };
}

/** @returns false if it was deleted meanwhile */
async function sendLarge(
  client: S3Client,
  entry: BackupEntry,
  { sha256, bytes }: Read,
  partBytes: number,
): Promise<boolean> {
  const content = await entry.open();
  if (!content) return false;
  const chunks = hashing(entry.path, content.chunks, (sent) => {
    if (sent.sha256 !== sha256)
      throw new OperatorError(
        `${entry.path} has changed while it was copied. Try again.`,
      );
  });
  const length = partBytesFor(bytes, partBytes);
  await uploadParts(client, contentKey(sha256), chunks, length);
  return true;
}

async function readSmall(
  entry: BackupEntry,
  note: (file: BackupFile) => void,
): Promise<Buffer> {
  const content = await entry.open();
  const chunks: Uint8Array[] = [];
  if (content)
    for await (const chunk of hashing(entry.path, content.chunks, note))
      chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function putText(
  client: S3Client,
  key: string,
  text: Buffer | undefined,
): Promise<void> {
  if (!text) throw new Error(`The backup has no ${key}`);
  await putInBucket(client, key, text);
}
