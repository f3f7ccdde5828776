import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import { codeOf, messageOf, OperatorError } from "../errors.ts";
import { refuseMalformedKey, isMediaKey } from "./media-keys.ts";
import type {
  ByteRange,
  FolderSize,
  MediaStore,
  StoredMedia,
} from "./media-store.ts";
import { readObjectList, type ListedObject } from "./read-object-list.ts";
import type { S3Place } from "./s3-place.ts";

/** Until the answer begins; what it holds may take longer. */
const TIMEOUT_MS = 30_000;
/** A file is sent before the answer begins. */
const PUT_TIMEOUT_MS = 300_000;
/** After a status of 429 or 5xx: within 50, 100 and 200 ms. */
const RETRIES = 3;

type Call = {
  readonly method: "DELETE" | "GET" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

/** Stores files in a bucket, by path-style addresses (Amazon S3 API reference). */
export function createS3MediaStore(place: S3Place): MediaStore {
  const client = clientOf(place);
  const call = (path: string, given: Call) => send(client, place, path, given);
  const pathOf = (key: string) => {
    refuseMalformedKey(key);
    return `/${place.bucket}/${place.prefix}${key}`;
  };
  return {
    put: async (key, body) => {
      const answer = await call(pathOf(key), { method: "PUT", body });
      await expectSuccess(answer, "stored");
    },
    copy: async (key, to) => {
      const source = pathOf(key);
      const from = { "x-amz-copy-source": source };
      // Only a copy onto itself gives an object a new time.
      const anew = { ...from, "x-amz-metadata-directive": "REPLACE" };
      if (!(await copied(await call(source, { method: "PUT", headers: anew }))))
        return;
      await copied(await call(pathOf(to), { method: "PUT", headers: from }));
    },
    open: async (key, part) => {
      const headers = part && { range: `bytes=${part.start}-${part.end}` };
      const given = { method: "GET", ...(headers && { headers }) } as const;
      return openAnswer(await call(pathOf(key), given), part);
    },
    remove: async (key) => {
      const answer = await call(pathOf(key), { method: "DELETE" });
      if (answer.status === 404) await answer.body?.cancel();
      else await expectSuccess(answer, "removed");
    },
    list: async function* (before) {
      for await (const { key, modifiedAt } of listObjects(place, call))
        if (isMediaKey(key) && modifiedAt < before) yield key;
    },
    // An object is whole, or not there.
    removeUnfinished: () => Promise.resolve(),
    measure: async () => {
      let size: FolderSize = { files: 0, bytes: 0 };
      for await (const { bytes } of listObjects(place, call))
        size = { files: size.files + 1, bytes: size.bytes + bytes };
      return size;
    },
  };
}

function clientOf({ keyId, secret, region }: S3Place): AwsClient {
  return new AwsClient({
    ...{ accessKeyId: keyId, secretAccessKey: secret, region, service: "s3" },
    ...{ retries: RETRIES, initRetryMs: 50 },
  });
}

async function send(
  client: AwsClient,
  { endpoint }: S3Place,
  path: string,
  { method, headers = {}, body }: Call,
): Promise<Response> {
  const silence = new AbortController();
  const timeoutMs = method === "PUT" ? PUT_TIMEOUT_MS : TIMEOUT_MS;
  const timer = setTimeout(() => silence.abort(), timeoutMs);
  const sha256 = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  try {
    return await client.fetch(`${endpoint}${path}`, {
      ...{ method, signal: silence.signal, redirect: "error" },
      headers: { ...headers, "x-amz-content-sha256": sha256 },
      ...(body && { body: Buffer.from(body) }),
    });
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const reason = codeOf(cause) ?? messageOf(cause ?? error);
    throw new OperatorError(`The object store does not answer: ${reason}.`);
  } finally {
    clearTimeout(timer);
  }
}

async function expectSuccess(answer: Response, done: string): Promise<string> {
  const text = await answer.text();
  if (answer.ok) return text;
  // Not the whole answer: some stores repeat the address with its signature.
  const [, code = ""] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
  const status = `${answer.status} ${code}`.trim();
  throw new OperatorError(`The object store has not ${done} it: ${status}.`);
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

async function* listObjects(
  { bucket, prefix }: S3Place,
  call: (path: string, given: Call) => Promise<Response>,
): AsyncGenerator<ListedObject> {
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      "list-type": "2",
      ...(prefix !== "" && { prefix }),
      ...(next !== undefined && { "continuation-token": next }),
    });
    const path = `/${bucket}?${query.toString()}`;
    const answer = await call(path, { method: "GET" });
    const list = readObjectList(await expectSuccess(answer, "listed"));
    for (const { key, ...object } of list.objects)
      yield { ...object, key: key.slice(prefix.length) };
    next = list.next;
  } while (next !== undefined);
}
