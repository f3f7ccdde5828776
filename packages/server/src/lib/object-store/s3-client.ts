import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { codeOf, messageOf, OperatorError } from "../errors.ts";
import {
  readObjectList,
  type ListedObject,
  type ListPart,
} from "./read-object-list.ts";
import type { S3Place } from "./s3-place.ts";

/** Until the answer begins; what it holds may take longer. */
const TIMEOUT_MS = 30_000;
/** A file is sent before the answer begins. */
const PUT_TIMEOUT_MS = 300_000;
/** After a status of 429 or 5xx: within 50, 100 and 200 ms. */
const RETRIES = 3;

export type S3Call = {
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

/** Signed calls about one bucket, by path-style addresses (Amazon S3 API reference). */
export type S3Client = {
  readonly place: S3Place;
  /** About an object, by its key without the prefix. @throws {OperatorError} without an answer */
  readonly call: (key: string, call: S3Call) => Promise<Response>;
  /** About the bucket itself. */
  readonly callBucket: (call: S3Call) => Promise<Response>;
  /** The address of an object within the store. */
  readonly pathOf: (key: string) => string;
};

export function createS3Client(place: S3Place): S3Client {
  const { keyId, secret, region, bucket, prefix } = place;
  const client = new AwsClient({
    ...{ accessKeyId: keyId, secretAccessKey: secret, region, service: "s3" },
    ...{ retries: RETRIES, initRetryMs: 50 },
  });
  const pathOf = (key: string) => `/${bucket}/${prefix}${key}`;
  const at = (path: string) => `${place.endpoint}${path}`;
  return {
    ...{ place, pathOf },
    call: (key, call) => send(client, at(pathOf(key)), call),
    callBucket: (call) => send(client, at(`/${bucket}`), call),
  };
}

async function send(
  client: AwsClient,
  address: string,
  { method, query = {}, headers = {}, body }: S3Call,
): Promise<Response> {
  const silence = new AbortController();
  const isLong = method === "PUT" || method === "POST";
  const timeoutMs = isLong ? PUT_TIMEOUT_MS : TIMEOUT_MS;
  const timer = setTimeout(() => silence.abort(), timeoutMs);
  const sha256 = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  const asked = new URLSearchParams(query).toString();
  try {
    return await client.fetch(asked === "" ? address : `${address}?${asked}`, {
      ...{ method, signal: silence.signal, redirect: "error" },
      headers: { ...headers, "x-amz-content-sha256": sha256 },
      ...(body && { body: inBuffer(body) }),
    });
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const reason = codeOf(cause) ?? messageOf(cause ?? error);
    throw new OperatorError(`The object store does not answer: ${reason}.`);
  } finally {
    clearTimeout(timer);
  }
}

/** A view: a part of a large file is not copied. */
function inBuffer({ buffer, byteOffset, byteLength }: Uint8Array) {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** @returns the text of the answer @throws {OperatorError} */
export async function expectSuccess(
  answer: Response,
  done: string,
): Promise<string> {
  const text = await answer.text();
  if (answer.ok) return text;
  // Not the whole answer: some stores repeat the address with its signature.
  const [, code = ""] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
  const status = `${answer.status} ${code}`.trim();
  throw new OperatorError(`The object store has not ${done} it: ${status}.`);
}

/** Stores a whole object. @throws {OperatorError} */
export async function putInBucket(
  client: S3Client,
  key: string,
  body: Uint8Array,
): Promise<void> {
  await expectSuccess(
    await client.call(key, { method: "PUT", body }),
    "stored",
  );
}

/** Idempotent: a missing object counts as removed. @throws {OperatorError} */
export async function removeObject(
  client: S3Client,
  key: string,
): Promise<void> {
  const answer = await client.call(key, { method: "DELETE" });
  if (answer.status === 404) await answer.body?.cancel();
  else await expectSuccess(answer, "removed");
}

/** The objects whose keys begin so; keys without the prefix of the place. */
export async function* listBucket(
  client: S3Client,
  beginning = "",
): AsyncGenerator<ListedObject> {
  const { prefix: own } = client.place;
  const prefix = `${own}${beginning}`;
  const query = { "list-type": "2", ...(prefix !== "" && { prefix }) };
  for await (const { key, ...object } of listParts(
    client,
    query,
    readObjectList,
  ))
    yield { ...object, key: key.slice(own.length) };
}

/** Asks for a list of the bucket, part by part. */
export async function* listParts<T>(
  client: S3Client,
  query: Readonly<Record<string, string>>,
  read: (xml: string) => ListPart<T>,
): AsyncGenerator<T> {
  let next: ListPart<T>["next"] = {};
  while (next) {
    const asked = { method: "GET", query: { ...query, ...next } } as const;
    const answer = await client.callBucket(asked);
    const part = read(await expectSuccess(answer, "listed"));
    yield* part.items;
    next = part.next;
  }
}
