import {
  addIntegrityProof,
  addLdSignature,
  canonicalize,
  isJsonObject,
  parseJson,
  readActivity,
  readIntegrityProof,
  readLdSignature,
  requireSigner,
  resolveKey,
  verifyIntegrityProof,
  verifyLdSignature,
} from "@kith/activitypub";
import type { JsonObject } from "@kith/activitypub";
import { jsonLd } from "./json-ld.ts";
import { differenceOf, fetcherOf, outcomeOf, privateKeyOf } from "./file.ts";
import type { Outcome, ProofVector, VectorFile } from "./file.ts";

/** A kind of proof: how to find its key, verify it, and make it again. */
type Kind = {
  keyId(document: JsonObject): string | undefined;
  verify(document: JsonObject, pem: string): void | Promise<void>;
  makeAgain(
    file: VectorFile,
    document: JsonObject,
  ): Promise<string | undefined>;
};

const KINDS: Readonly<Record<string, Kind>> = {
  "eddsa-jcs-2022": {
    keyId: (document) => readIntegrityProof(document)?.verificationMethod,
    verify: verifyIntegrityProof,
    makeAgain: async (file, document) => checkSigner(file, document),
  },
  RsaSignature2017: {
    // The key is looked up even for a document that is refused for its meaning.
    keyId: ({ signature }) =>
      isJsonObject(signature) && typeof signature["creator"] === "string"
        ? signature["creator"]
        : undefined,
    verify: (document, pem) => verifyLdSignature(document, pem, jsonLd),
    makeAgain: checkLdSigner,
  },
};

/**
 * Verifies the proof of a document, and makes it again if it has our form. A vector of an unknown kind is a
 * deviation, even if it should be refused, because it was not checked.
 * @returns the deviation from the file's expectation
 */
export async function checkProof(
  file: VectorFile,
  vector: ProofVector,
): Promise<string | undefined> {
  const kind = Object.hasOwn(KINDS, vector.kind)
    ? KINDS[vector.kind]
    : undefined;
  if (!kind) {
    return `${vector.kind} is neither made nor verified by @kith/activitypub`;
  }
  const document = parseJson(Buffer.from(JSON.stringify(vector.document)));
  const outcome = await outcomeOf(() => verify(file, kind, document));
  const difference = differenceOf(vector.expect, outcome);
  if (difference !== undefined || vector.expect.result !== "accept") {
    return difference;
  }
  return kind.makeAgain(file, document);
}

async function verify(
  file: VectorFile,
  kind: Kind,
  document: JsonObject,
): Promise<Outcome> {
  const keyId = kind.keyId(document);
  if (keyId === undefined) return { result: "reject", reason: "no-signature" };
  const found = await resolveKey({
    keyId,
    fetchDocument: fetcherOf(file),
    jsonLd,
  });
  if (found.kind === "unavailable") {
    return { result: "reject", reason: "key-unavailable" };
  }
  if (found.kind === "refused") {
    return { result: "reject", reason: found.reason };
  }
  await kind.verify(document, found.key.pem);
  const { actor } = readActivity(document);
  requireSigner(found.key.owner, { actor });
  return { result: "accept", actor };
}

/** RSA signatures of this kind are deterministic. */
async function checkLdSigner(
  file: VectorFile,
  document: JsonObject,
): Promise<string | undefined> {
  const given = readLdSignature(document);
  const privateKey = privateKeyOf(file, given?.creator ?? "");
  if (given?.created === undefined || privateKey === undefined) {
    return undefined;
  }
  const signer = {
    keyId: given.creator,
    privateKey,
    now: new Date(given.created),
  };
  const made = await addLdSignature(document, signer, jsonLd);
  const ours = readLdSignature(made)?.raw["signatureValue"];
  return ours === given.raw["signatureValue"]
    ? undefined
    : "the signer makes another signature of it";
}

function checkSigner(
  file: VectorFile,
  document: JsonObject,
): string | undefined {
  const proof = readIntegrityProof(document);
  const privateKey = privateKeyOf(file, proof?.verificationMethod ?? "");
  if (proof?.created === undefined || privateKey === undefined) {
    return undefined;
  }
  const made = addIntegrityProof(document, {
    keyId: proof.verificationMethod,
    privateKey,
    now: new Date(proof.created),
  });
  const { proofValue: ours, ...options } = proofOf(made);
  const { proofValue: theirs, ...given } = proofOf(document);
  // Peers leave the context out of the proof; ours includes it, and so has another value.
  if (canonicalize(options) !== canonicalize(given)) return undefined;
  return ours === theirs ? undefined : "the signer makes another proof of it";
}

function proofOf({ proof }: JsonObject): JsonObject {
  return isJsonObject(proof) ? proof : {};
}
