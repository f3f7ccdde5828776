import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { OperatorError } from "../../lib/errors.ts";
import {
  giveUpUpload,
  listUploads,
} from "../../lib/object-store/upload-parts.ts";
import {
  expectSuccess,
  listBucket,
  removeObject,
  type S3Client,
} from "../../lib/object-store/s3-client.ts";
import {
  MANIFEST,
  MANIFEST_SUM,
  parseManifest,
  type Manifest,
} from "../manifest.ts";
import { IS_BACKUP_NAME } from "./backup-folder.ts";

// The objects below the prefix: `content/SHA256` for each file of any backup, and for each
// backup `kith-TIME/manifest.json` and, last, `kith-TIME/manifest.sha256`.

const CONTENT = "content/";
const BACKUPS = "kith-";
const SHA256 = /[0-9a-f]{64}/g;

/** The files that are held, by their SHA-256 in hex, with their sizes. */
export type HeldContent = Map<string, number>;

export const contentKey = (sha256: string): string => `${CONTENT}${sha256}`;
export const manifestKey = (name: string): string => `${name}/${MANIFEST}`;
export const sumKey = (name: string): string => `${name}/${MANIFEST_SUM}`;

/** Opens an object. @returns undefined if there is none @throws {OperatorError} */
export async function openObject(
  client: S3Client,
  key: string,
): Promise<Readable | undefined> {
  const answer = await client.call(key, { method: "GET" });
  if (answer.status === 404) {
    await answer.body?.cancel();
    return undefined;
  }
  if (answer.status !== 200 || !answer.body) {
    await expectSuccess(answer, "sent");
    throw new OperatorError("The object store has not sent it.");
  }
  return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
}

export async function listContent(client: S3Client): Promise<HeldContent> {
  const held: HeldContent = new Map();
  for await (const { key, bytes } of listBucket(client, CONTENT))
    held.set(key.slice(CONTENT.length), bytes);
  return held;
}

/** The names of the backups with the last of their objects, the newest first. */
export async function listNames(client: S3Client): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of listBucket(client, BACKUPS)) {
    const [name = "", file] = key.split("/");
    if (IS_BACKUP_NAME.test(name) && file === MANIFEST_SUM) found.push(name);
  }
  return found.toSorted().reverse();
}

/** @throws {OperatorError} if there is none, or it is damaged, or of a later Kith */
export async function readBucketManifest(
  client: S3Client,
  name: string,
): Promise<Manifest> {
  const read = async (key: string): Promise<string> => {
    const stream = await openObject(client, key);
    if (stream) return readText(stream);
    throw new OperatorError(`${name} is no whole backup: ${key} is missing.`);
  };
  return parseManifest(await read(manifestKey(name)), await read(sumKey(name)));
}

/**
 * @returns undefined for one that is damaged, or of a later Kith
 * @throws {OperatorError} if the store does not answer
 */
export async function findManifest(
  client: S3Client,
  name: string,
): Promise<Manifest | undefined> {
  const keys = [manifestKey(name), sumKey(name)];
  const texts: string[] = [];
  for (const key of keys) {
    const stream = await openObject(client, key);
    texts.push(stream ? await readText(stream) : "");
  }
  const [text = "", sum = ""] = texts;
  try {
    return parseManifest(text, sum);
  } catch {
    return undefined;
  }
}

/** Removes a backup, of which only its description is its own: its sum first, without which it is none. */
export async function removeBackup(
  client: S3Client,
  name: string,
): Promise<void> {
  await removeObject(client, sumKey(name));
  await removeObject(client, manifestKey(name));
}

/**
 * Removes what no backup names: descriptions without their sums, content, and uploads that were
 * not completed. Only while nothing else writes here.
 */
export async function removeUnnamed(client: S3Client): Promise<void> {
  await giveUpUploads(client);
  const whole = new Set(await listNames(client));
  const named = new Set<string>();
  for await (const { key } of listBucket(client, BACKUPS)) {
    const [name = "", file] = key.split("/");
    if (!IS_BACKUP_NAME.test(name) || file !== MANIFEST) continue;
    if (!whole.has(name)) await removeObject(client, key);
    else for (const sha256 of await listNamed(client, key)) named.add(sha256);
  }
  for (const sha256 of (await listContent(client)).keys())
    if (!named.has(sha256)) await removeObject(client, contentKey(sha256));
}

/** Everything that might be a name, also in a description that cannot be understood. */
async function listNamed(client: S3Client, key: string): Promise<string[]> {
  const stream = await openObject(client, key);
  return stream ? ((await readText(stream)).match(SHA256) ?? []) : [];
}

async function giveUpUploads(client: S3Client): Promise<void> {
  const { prefix } = client.place;
  for await (const { key, id } of listUploads(client))
    if (key.startsWith(`${prefix}${CONTENT}`))
      await giveUpUpload(client, { key: key.slice(prefix.length), id });
}
