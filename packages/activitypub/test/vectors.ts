import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import type { JsonObject } from "../src/json/json-types.ts";
import type { FetchDocument } from "../src/resolve-key.ts";
import type { ReceivedRequest } from "../src/signatures/request.ts";

const FOLDER = new URL("../../../test/vectors/activitypub/", import.meta.url);

export type VectorKey = {
  name: string;
  keyId: string;
  owner: string;
  algorithm: "rsa" | "ed25519";
  publicKeyPem: string;
  publicKeyMultibase?: string;
  privateKeyPkcs8: string;
};

export type Vector = {
  name: string;
  scheme: "cavage" | "rfc9421";
  level: "signature" | "key" | "inbox";
  request: {
    method: string;
    url: string;
    headers: [string, string][];
    body?: string;
  };
  signatureBase?: string;
  cachedKeys?: Record<string, string>;
  expect: { result: string; keyId?: string; actor?: string; reason?: string };
};

export type ProofVector = {
  name: string;
  kind: string;
  document: JsonObject;
  expect: { result: string; actor?: string; reason?: string };
};

type SignatureVectors = {
  now: string;
  receiver: { origin: string };
  keys: VectorKey[];
  documents: Record<
    string,
    { status: number; contentType: string; body: unknown }
  >;
  vectors: Vector[];
  documentProofs: ProofVector[];
};

/** The signature vectors, as stored in the folder of vectors. */
export const vectors = JSON.parse(
  readFileSync(new URL("signatures.json", FOLDER), "utf8"),
) as SignatureVectors;

/** The receiver's clock and origin in the vectors. */
export const receiver = {
  now: new Date(vectors.now),
  origin: vectors.receiver.origin,
};

/** One of the vectors' keys. */
export function vectorKey(name: string): VectorKey {
  const key = vectors.keys.find((candidate) => candidate.name === name);
  if (key === undefined) throw new Error(`No key ${name}`);
  return key;
}

/** The private half of one of the vectors' keys. */
export function privateKeyOf(key: VectorKey): KeyObject {
  const der = Buffer.from(key.privateKeyPkcs8, "base64");
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** The request of a vector as a server receives it. */
export function receivedRequest(vector: Vector): ReceivedRequest {
  const { method, url, headers, body } = vector.request;
  const path = url.slice(receiver.origin.length);
  return body === undefined
    ? { method, path, headers }
    : { method, path, headers, body: Buffer.from(body) };
}

/** Serves only the documents of the vectors. */
export function vectorFetcher(asked: string[] = []): FetchDocument {
  return (url) => {
    asked.push(url);
    const document = vectors.documents[url];
    return Promise.resolve({
      status: document?.status ?? 404,
      contentType: document?.contentType ?? "text/html",
      body: Buffer.from(JSON.stringify(document?.body ?? null)),
    });
  };
}

const PLACEHOLDERS: Record<string, string> = {
  base: "https://kith.example",
  host: "kith.example",
  aliceHandle: "alice@kith.example",
  alice: "https://kith.example/api/v1/ap/person/alice",
  bob: "https://kith.example/api/v1/ap/person/bob",
};

/** The bytes of one sample payload, placeholders replaced by plausible URLs. */
export function sampleBytes(name: string): Uint8Array {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), "utf8");
  return Buffer.from(
    text.replaceAll(
      /\{\{(\w+)\}\}/g,
      (_, key: string) =>
        PLACEHOLDERS[key] ?? `https://kith.example/api/v1/ap/object/${key}`,
    ),
  );
}

/** The names of all sample payloads. */
export function sampleNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .filter((name) => !/^(?:index|signatures|index\.schema)$/.test(name));
}
