import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { OperatorError } from "../errors.ts";
import {
  createS3Client,
  expectSuccess,
  listBucket,
  putInBucket,
  removeObject,
} from "../object-store/s3-client.ts";
import { createSignAddress } from "../object-store/sign-address.ts";
import type { S3Place } from "../object-store/s3-place.ts";
import { refuseMalformedKey, isMediaKey } from "./media-keys.ts";
import type {
  ByteRange,
  FolderSize,
  MediaStore,
  StoredMedia,
} from "./media-store.ts";

/**
 * Stores files in a bucket.
 * @param options.isSigned do readers get signed addresses of the files in it?
 */
export function createS3MediaStore(
  place: S3Place,
  { isSigned = false }: { readonly isSigned?: boolean } = {},
): MediaStore {
  const sign = createSignAddress(place);
  const client = createS3Client(place);
  const checked = (key: string) => {
    refuseMalformedKey(key);
    return key;
  };
  return {
    put: async (key, body) => putInBucket(client, checked(key), body),
    copy: async (key, to) => {
      const from = { "x-amz-copy-source": client.pathOf(checked(key)) };
      const copyTo = async (target: string, headers: Record<string, string>) =>
        copied(await client.call(checked(target), { method: "PUT", headers }));
      // Only a copy onto itself gives an object a new time.
      const anew = { ...from, "x-amz-metadata-directive": "REPLACE" };
      if (await copyTo(key, anew)) await copyTo(to, from);
    },
    open: async (key, part) => {
      const headers = part && { range: `bytes=${part.start}-${part.end}` };
      const given = { method: "GET", ...(headers && { headers }) } as const;
      return openAnswer(await client.call(checked(key), given), part);
    },
    ...(isSigned && {
      addressOf: async (key, file) => sign(checked(key), file),
    }),
    remove: async (key) => removeObject(client, checked(key)),
    list: async function* (before) {
      for await (const { key, modifiedAt } of listBucket(client))
        if (isMediaKey(key) && modifiedAt < before) yield key;
    },
    // An object is whole, or not there.
    removeUnfinished: () => Promise.resolve(),
    measure: async () => {
      let size: FolderSize = { files: 0, bytes: 0 };
      for await (const { bytes } of listBucket(client))
        size = { files: size.files + 1, bytes: size.bytes + bytes };
      return size;
    },
  };
}

/** @returns false if there is no such object. An error may come with the status 200. */
async function copied(answer: Response): Promise<boolean> {
  if (answer.status === 404) {
    await answer.body?.cancel();
    return false;
  }
  const text = await expectSuccess(answer, "copied");
  if (!text.includes("<CopyObjectResult"))
    throw new OperatorError("The object store has not copied it");
  return true;
}

async function openAnswer(
  answer: Response,
  part: ByteRange | undefined,
): Promise<StoredMedia | undefined> {
  const { status, headers, body } = answer;
  const range = headers.get("content-range");
  if (status === 404 || status === 416) {
    await body?.cancel();
    // A part behind the end has no bytes.
    return status === 404
      ? undefined
      : { stream: Readable.from([]), size: sizeIn(range) };
  }
  const isPart = part !== undefined && status === 206;
  const isWhole = part === undefined && status === 200;
  if (!body || !(isPart || isWhole)) {
    await expectSuccess(answer, "sent");
    throw new OperatorError(`The object store answered ${status} to a part.`);
  }
  const size = isPart ? sizeIn(range) : Number(headers.get("content-length"));
  const stream = Readable.fromWeb(body as ReadableStream<Uint8Array>);
  return { stream, size };
}

/** The size of the whole in `bytes 0-9/100`. */
function sizeIn(range: string | null): number {
  const [, size] = /\/(\d+)$/.exec(range ?? "") ?? [];
  if (size === undefined)
    throw new OperatorError(
      "The object store does not say how large the object is",
    );
  return Number(size);
}
