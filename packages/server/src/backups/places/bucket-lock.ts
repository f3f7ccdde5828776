import { randomBytes } from "node:crypto";
import { OperatorError } from "../../lib/errors.ts";
import {
  listBucket,
  putInBucket,
  removeObject,
  type S3Client,
} from "../../lib/object-store/s3-client.ts";
import { removeUnnamed } from "./bucket-content.ts";

// Object stores have no locks. A backup in the making keeps an object `unfinished-…` young; one
// that has failed leaves it as `interrupted-…`, and one that was killed lets it grow old.

const UNFINISHED = "unfinished-";
const INTERRUPTED = "interrupted-";
const RENEW_EVERY_MS = 60_000;
const DEAD_AFTER_MS = 5 * RENEW_EVERY_MS;
const NOTE = Buffer.from("A backup was begun here.\n");

/**
 * Runs `work` while no other process writes below this prefix, and removes what an interrupted
 * one has left behind. @throws {OperatorError}
 */
export async function withBucket<T>(
  client: S3Client,
  shown: string,
  work: () => Promise<T>,
): Promise<T> {
  const id = randomBytes(6).toString("hex");
  const own = `${UNFINISHED}${id}`;
  await putInBucket(client, own, NOTE);
  const renewing = renew(client, own);
  try {
    const left = await listLeft(client, own, shown);
    if (left.length > 0) await removeUnnamed(client);
    for (const key of left) await removeObject(client, key);
  } catch (error) {
    await renewing.stop();
    await removeObject(client, own);
    throw error;
  }
  try {
    const result = await work();
    await renewing.stop();
    await removeObject(client, own);
    return result;
  } catch (error) {
    await renewing.stop();
    // The next one need not wait until this one looks dead.
    await putInBucket(client, `${INTERRUPTED}${id}`, NOTE).then(
      () => removeObject(client, own),
      () => {},
    );
    throw error;
  }
}

/** The marks of interrupted backups. @throws {OperatorError} while one is running */
async function listLeft(
  client: S3Client,
  own: string,
  shown: string,
): Promise<string[]> {
  const marks = new Map<string, Date>();
  for await (const { key, modifiedAt } of listBucket(client, UNFINISHED))
    marks.set(key, modifiedAt);
  // Times of the store, whatever the clock here says.
  const nowMs = marks.get(own)?.getTime() ?? Infinity;
  marks.delete(own);
  for (const modifiedAt of marks.values())
    if (nowMs - modifiedAt.getTime() < DEAD_AFTER_MS)
      throw new OperatorError(
        `Another backup into ${shown} is running, or was killed a few minutes ago. Try again later.`,
      );
  const left = [...marks.keys()];
  for await (const { key } of listBucket(client, INTERRUPTED)) left.push(key);
  return left;
}

function renew(client: S3Client, key: string) {
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // One that fails is followed by another before the mark looks dead.
    last = putInBucket(client, key, NOTE).catch(() => {});
  }, RENEW_EVERY_MS);
  timer.unref();
  return {
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await last;
    },
  };
}
