import assert from "node:assert/strict";
import { ActivityPubError } from "../src/errors.ts";
import { canonicalize } from "../src/json/jcs.ts";
import { verifyIntegrityProof } from "../src/proofs/integrity-proof.ts";
import { parseJson } from "../src/json/json.ts";
import type { JsonObject } from "../src/json/json-types.ts";
import { importPublicKey } from "../src/keys.ts";
import type { ReceivedRequest } from "../src/signatures/request.ts";
import {
  parseHttpSignature,
  verifyHttpSignature,
} from "../src/signatures/verify.ts";
import { understood } from "./fuzz-target.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutate, mutateText, pick } from "./mutate.ts";
import type { Random } from "./mutate.ts";
import { receivedRequest, receiver, vectorKey, vectors } from "./vectors.ts";

/** A request as it travels through the fuzzer; the body is base64. */
type Travelling = {
  vector: number;
  method: string;
  path: string;
  headers: [string, string][];
  body?: string;
};

const accepted = vectors.vectors.filter(
  ({ expect, name }) =>
    expect.result === "accept" && name !== "rotated-key-cached-old",
);
const keyOf = new Map(
  vectors.keys.map((key) => [key.keyId, importPublicKey(key.publicKeyPem)]),
);

function travelling(vector: number): Travelling {
  const original = accepted[vector];
  assert.ok(original);
  const { method, path, headers, body } = receivedRequest(original);
  return {
    vector,
    method,
    path,
    headers,
    ...(body && { body: Buffer.from(body).toString("base64") }),
  };
}

function changed(request: Travelling, random: Random): Travelling {
  const { headers, body } = request;
  const at = random(headers.length);
  switch (random(7)) {
    case 0:
      return { ...request, path: mutateText(request.path, random) };
    case 1: {
      if (body === undefined) return request;
      const bytes = mutate(Buffer.from(body, "base64"), random);
      return { ...request, body: Buffer.from(bytes).toString("base64") };
    }
    case 2:
      return { ...request, headers: headers.filter((_, one) => one !== at) };
    case 3:
      return { ...request, headers: [...headers, pick(headers, random)] };
    case 4:
      return { ...request, method: pick(["GET", "POST", "PUT"], random) };
    default:
      return {
        ...request,
        headers: headers.map(([name, value], one) => [
          name,
          one === at ? mutateText(value, random) : value,
        ]),
      };
  }
}

/** The signed parts: target, body, and the values of the listed headers. */
function covered(request: ReceivedRequest, names: readonly string[]): string {
  const lines = names.map((name) => {
    if (name === "(request-target)" || name.startsWith("@")) {
      return [name, request.method, request.path];
    }
    if (name === "(created)" || name === "(expires)") return [name];
    const values = request.headers.filter(
      ([one]) => one.toLowerCase() === name,
    );
    return [name, values.map(([, value]) => value.trim()).join(", ")];
  });
  const body = Buffer.from(request.body ?? []).toString("base64");
  return JSON.stringify([lines, body]);
}

function namesIn(request: ReceivedRequest): readonly string[] {
  const parsed = parseHttpSignature(request);
  return parsed.scheme === "cavage" ? parsed.headers : parsed.components;
}

async function verifyTravelling(travelled: Travelling): Promise<void> {
  const { vector, body, ...rest } = travelled;
  const request: ReceivedRequest = {
    ...rest,
    ...(body !== undefined && { body: Buffer.from(body, "base64") }),
  };
  const parsed = parseHttpSignature(request);
  const key = keyOf.get(parsed.keyId);
  if (key === undefined) throw new ActivityPubError("unsupported", "No key");
  await verifyHttpSignature(request, parsed, key, receiver);
  const original = accepted[vector];
  assert.ok(original);
  const was = receivedRequest(original);
  const names = namesIn(was);
  assert.deepEqual(namesIn(request), names, "another list of what is signed");
  assert.equal(covered(asSigned(request, was), names), covered(was, names));
}

/** Some peers sign a GET without its query, so an added query is legitimate there. */
function asSigned(
  request: ReceivedRequest,
  was: ReceivedRequest,
): ReceivedRequest {
  const { scheme } = parseHttpSignature(request);
  const mayDiffer = scheme === "cavage" && request.method === "GET";
  const [path = ""] = request.path.split("?", 1);
  return mayDiffer && path === was.path ? { ...request, path } : request;
}

/** Signed requests with one to three changes: only changes of unsigned parts may pass. */
export const httpSignatures: FuzzTarget = {
  name: "HTTP signature",
  next: (random) => {
    let request = travelling(random(accepted.length));
    for (let times = 1 + random(3); times > 0; times -= 1) {
      request = changed(request, random);
    }
    return Buffer.from(JSON.stringify(request));
  },
  run: (input) =>
    understood(() =>
      verifyTravelling(JSON.parse(Buffer.from(input).toString()) as Travelling),
    ),
};

const proven = vectors.documentProofs
  .filter(
    ({ kind, expect }) =>
      kind === "eddsa-jcs-2022" && expect.result === "accept",
  )
  .map(({ document }) => document);
const proofKey = importPublicKey(vectorKey("hollo-ed25519").publicKeyPem);
const meanings = new Set(proven.map(meaningOf));

/** A document without the parts that its proof does not cover: the value, and the context, which peers add or leave out. */
function meaningOf(document: JsonObject): string {
  const { proof, ...rest } = document;
  const { "@context": _c, proofValue: _v, ...options } = proof as JsonObject;
  return canonicalize({ ...rest, proof: options });
}

/** Documents with a proof and a change. */
export const integrityProofs: FuzzTarget = {
  name: "integrity proof",
  next: (random) => {
    const document = pick(proven, random);
    // Members in another order are the same document.
    const turned = Object.fromEntries(Object.entries(document).reverse());
    const bytes = Buffer.from(JSON.stringify(turned));
    return random(8) === 0 ? bytes : mutate(bytes, random);
  },
  run: (input) =>
    understood(() => {
      const document = parseJson(input);
      verifyIntegrityProof(document, proofKey);
      const proofs = document["proof"];
      const proof = Array.isArray(proofs) ? (proofs[0] as JsonObject) : proofs;
      assert.ok(meanings.has(meaningOf({ ...document, proof: proof ?? null })));
    }),
};
