import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SignatureV4 } from "@smithy/signature-v4";
import type { S3Place } from "../../../src/lib/object-store/s3-place.ts";

/** An upload in parts that is under way. */
type Upload = { readonly key: string; readonly parts: Map<number, Buffer> };

type StoredObject = { readonly body: Buffer; modifiedAt: Date };

/** The hash that the signer of AWS wants. */
class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", bytesIn(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesIn(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {
    throw new Error("It is not used again");
  }
}

function bytesIn(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

const KEY_ID = "AKIDEXAMPLE";
const SECRET = "a secret+/with signs";
const BUCKET = "uploads";
const REGION = "eu-central-1";
const HASH_HEADER = "x-amz-content-sha256";
/**
 * An object store that is strict: a request must be signed as the signer of AWS signs it, have
 * the hash of its body, and be of now.
 */
export class S3Server {
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  /** The length of the longest body. */
  longest = 0;
  /** Small, so that lists have several parts. */
  pageSize = 2;
  /** How many objects and parts were sent. */
  puts = 0;
  /** The refusals, in words; a test expects none. */
  readonly refusals: string[] = [];
  /** Answers the next requests with these statuses. */
  readonly failures: number[] = [];
  /** Stores other bytes than it is sent. */
  isLossy = false;

  static async start(): Promise<S3Server> {
    const s3 = new S3Server();
    await new Promise<void>((done) => s3.#server.listen(0, "127.0.0.1", done));
    return s3;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The address as a setting has it. */
  url(secret = SECRET): string {
    const pair = `${KEY_ID}:${encodeURIComponent(secret)}`;
    return `s3+http://${pair}@${this.host}/${BUCKET}/kith?region=${REGION}`;
  }

  place(more: Partial<S3Place> = {}): S3Place {
    return {
      ...{ endpoint: `http://${this.host}`, region: REGION, bucket: BUCKET },
      ...{ prefix: "kith/", keyId: KEY_ID, secret: SECRET, ...more },
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await buffer(request);
    this.longest = Math.max(this.longest, body.length);
    if (request.method === "PUT") this.puts += 1;
    const failure = this.failures.shift();
    if (failure !== undefined) return refuse(response, failure, "SlowDown");
    const fault = await this.#findFault(request, body);
    if (fault !== undefined) {
      this.refusals.push(fault);
      return refuse(response, 403, "SignatureDoesNotMatch");
    }
    const url = new URL(request.url ?? "", `http://${this.host}`);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    if (bucket !== BUCKET) return refuse(response, 404, "NoSuchBucket");
    const key = rest.join("/");
    const query = url.searchParams;
    if (key === "" && query.has("uploads")) return this.#listUploads(response);
    if (key === "") return this.#list(query, response);
    for (const name of ["content-type", "cache-control"]) {
      const wanted = query.get(`response-${name}`);
      if (wanted !== null) response.setHeader(name, wanted);
    }
    if (query.has("uploads") || query.has("uploadId"))
      return this.#actOnUpload(request, response, { key, body, query });
    this.#act(request, response, { key, body });
  }

  async #findFault(
    request: IncomingMessage,
    body: Buffer,
  ): Promise<string | undefined> {
    const { headers } = request;
    const url = new URL(request.url ?? "", `http://${this.host}`);
    if (url.searchParams.has("X-Amz-Signature"))
      return this.#findFaultOfAddress(request.method ?? "", url);
    const date = String(headers["x-amz-date"]);
    const signedAt = readBasicFormat(date);
    if (Math.abs(Date.now() - signedAt.getTime()) > 900_000 || date === "")
      return "it is not of now";
    const hash = createHash("sha256").update(body).digest("hex");
    if (headers[HASH_HEADER] !== hash) return "another body";
    const given = String(headers.authorization);
    const [, names = ""] = /SignedHeaders=([^,]+)/.exec(given) ?? [];
    if (!names.includes(HASH_HEADER)) return "the hash is unsigned";
    const signed = await createSigner().sign(
      {
        ...{ method: request.method ?? "", protocol: "http:" },
        ...{ hostname: this.host, path: url.pathname },
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(
          names.split(";").map((name) => [name, String(headers[name])]),
        ),
      },
      { signingDate: signedAt },
    );
    const signatureIn = (text: string) => /Signature=(\w+)/.exec(text)?.[1];
    const expected = signatureIn(String(signed.headers["authorization"]));
    return signatureIn(given) === expected
      ? undefined
      : `${request.method} ${request.url} is signed otherwise`;
  }

  async #findFaultOfAddress(
    method: string,
    url: URL,
  ): Promise<string | undefined> {
    const query = Object.fromEntries(url.searchParams);
    const signedAt = readBasicFormat(query["X-Amz-Date"] ?? "");
    const expiresIn = Number(query["X-Amz-Expires"]);
    const until = signedAt.getTime() + expiresIn * 1000;
    if (!(Date.now() < until)) return "the address is no longer good";
    const signed = await createSigner().presign(
      {
        ...{ method, protocol: "http:", hostname: this.host },
        path: url.pathname,
        // Of a body nothing is said, and nothing is signed.
        headers: { host: this.host, [HASH_HEADER]: "UNSIGNED-PAYLOAD" },
        query: Object.fromEntries(
          Object.entries(query).filter(([name]) => !name.startsWith("X-Amz-")),
        ),
      },
      {
        ...{ signingDate: signedAt, expiresIn },
        unsignableHeaders: new Set([HASH_HEADER]),
        unhoistableHeaders: new Set([HASH_HEADER]),
      },
    );
    const expected = signed.query?.["X-Amz-Signature"];
    return query["X-Amz-Signature"] === expected
      ? undefined
      : `the address ${url.pathname} is signed otherwise`;
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    if (query.get("list-type") !== "2")
      return refuse(response, 400, "InvalidArgument");
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .toSorted();
    const shown = keys.slice(0, this.pageSize);
    const isCut = keys.length > this.pageSize;
    const contents = shown.map((key) => {
      const { body, modifiedAt } = this.objects.get(key) ?? fail();
      return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size><ETag>&quot;x&quot;</ETag></Contents>`;
    });
    const next = isCut
      ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>`
      : "";
    response.setHeader("content-type", "application/xml");
    response.end(`<?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name>
      <KeyCount>${shown.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`);
  }

  #listUploads(response: ServerResponse): void {
    const items = [...this.uploads].map(
      ([id, { key }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiator><ID>x</ID></Initiator></Upload>`,
    );
    response.end(
      `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket><IsTruncated>false</IsTruncated>${items.join("")}</ListMultipartUploadsResult>`,
    );
  }

  #actOnUpload(
    { method }: IncomingMessage,
    response: ServerResponse,
    {
      key,
      body,
      query,
    }: {
      readonly key: string;
      readonly body: Buffer;
      readonly query: URLSearchParams;
    },
  ): void {
    if (query.has("uploads")) {
      const id = `upload-${this.uploads.size + 1}-${key.length}`;
      this.uploads.set(id, { key, parts: new Map() });
      return void response.end(
        `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const id = query.get("uploadId") ?? "";
    const upload = this.uploads.get(id);
    if (upload?.key !== key) return refuse(response, 404, "NoSuchUpload");
    const number = Number(query.get("partNumber"));
    const tagOf = (part: Buffer) =>
      `"${createHash("md5").update(part).digest("hex")}"`;
    if (method === "DELETE") {
      this.uploads.delete(id);
      response.writeHead(204).end();
    } else if (method === "PUT") {
      upload.parts.set(number, Buffer.from(body));
      response.writeHead(200, { etag: tagOf(body) }).end();
    } else {
      const parts = [...upload.parts].toSorted(([a], [b]) => a - b);
      const expected = parts.map(
        ([at, part]) =>
          `<Part><PartNumber>${at}</PartNumber><ETag>${tagOf(part)}</ETag></Part>`,
      );
      if (
        body.toString() !==
        `<CompleteMultipartUpload>${expected.join("")}</CompleteMultipartUpload>`
      )
        return refuse(response, 400, "InvalidPart");
      this.uploads.delete(id);
      const whole = Buffer.concat(parts.map(([, part]) => part));
      this.objects.set(key, { body: whole, modifiedAt: new Date() });
      response.end("<CompleteMultipartUploadResult/>");
    }
  }

  #act(
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    { key, body }: { readonly key: string; readonly body: Buffer },
  ): void {
    const found = this.objects.get(key);
    const source = headers["x-amz-copy-source"];
    const now = new Date();
    if (method === "DELETE") {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (method === "PUT" && source !== undefined) {
      const from = String(source).replace(`/${BUCKET}/`, "");
      const copied = this.objects.get(from);
      if (!copied) return refuse(response, 404, "NoSuchKey");
      const isAnew = headers["x-amz-metadata-directive"] === "REPLACE";
      if (from === key && !isAnew)
        return refuse(response, 400, "InvalidRequest");
      this.objects.set(key, { body: copied.body, modifiedAt: now });
      response.end("<CopyObjectResult><ETag>x</ETag></CopyObjectResult>");
    } else if (method === "PUT") {
      const stored = this.isLossy ? body.subarray(1) : body;
      this.objects.set(key, { body: stored, modifiedAt: now });
      response.end();
    } else if (!found) refuse(response, 404, "NoSuchKey");
    else sendPart(response, found.body, headers.range);
  }
}

function createSigner(): SignatureV4 {
  return new SignatureV4({
    ...{ service: "s3", region: REGION, sha256: Sha256 },
    ...{ uriEscapePath: false, applyChecksum: false },
    credentials: { accessKeyId: KEY_ID, secretAccessKey: SECRET },
  });
}

/** ISO 8601 as signatures have it: `20261129T050000Z`. */
function readBasicFormat(date: string): Date {
  return new Date(
    date.replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
      "$1-$2-$3T$4:$5:$6Z",
    ),
  );
}

function sendPart(
  response: ServerResponse,
  body: Buffer,
  range: string | undefined,
): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (start === undefined) return void response.end(body);
  const size = body.length;
  if (Number(start) >= size) {
    response.setHeader("content-range", `bytes */${size}`);
    return refuse(response, 416, "InvalidRange");
  }
  const last = Math.min(Number(end), size - 1);
  response.writeHead(206, {
    "content-range": `bytes ${start}-${last}/${size}`,
  });
  response.end(body.subarray(Number(start), last + 1));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<Error><Code>${code}</Code></Error>`);
}

function fail(): never {
  throw new Error("It is gone");
}
