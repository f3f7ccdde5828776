import {
  addIntegrityProof,
  canonicalize,
  isJsonObject,
  parseJson,
  readActivity,
  readIntegrityProof,
  requireSigner,
  resolveKey,
  verifyIntegrityProof,
} from "@kith/activitypub";
import type { JsonObject } from "@kith/activitypub";
import {
  differenceOf,
  fetcherOf,
  outcomeOf,
  privateKeyOf,
} from "./signature-vectors-file.ts";
import type {
  Outcome,
  ProofVector,
  VectorFile,
} from "./signature-vectors-file.ts";

/**
 * Verifies the proof of a document, and makes it again where it is in the form of ours. Of the two kinds of proofs we
 * have one: a vector of the other differs, also where it should be refused, because nothing looked at it.
 * @returns how it differs from what the file expects
 */
export async function checkProof(
  file: VectorFile,
  vector: ProofVector,
): Promise<string | undefined> {
  if (vector.kind !== "eddsa-jcs-2022") {
    return `${vector.kind} is neither made nor verified by @kith/activitypub`;
  }
  const document = parseJson(Buffer.from(JSON.stringify(vector.document)));
  const outcome = await outcomeOf(() => verify(file, document));
  const difference = differenceOf(vector.expect, outcome);
  if (difference !== undefined || vector.expect.result !== "accept") {
    return difference;
  }
  return checkSigner(file, document);
}

async function verify(
  file: VectorFile,
  document: JsonObject,
): Promise<Outcome> {
  const proof = readIntegrityProof(document);
  if (proof === undefined) return { result: "reject", reason: "no-signature" };
  const found = await resolveKey({
    keyId: proof.verificationMethod,
    fetchDocument: fetcherOf(file),
  });
  if (found.kind === "unavailable") {
    return { result: "reject", reason: "key-unavailable" };
  }
  if (found.kind === "refused") {
    return { result: "reject", reason: found.reason };
  }
  verifyIntegrityProof(document, found.key.pem);
  const { actor } = readActivity(document);
  requireSigner(found.key.owner, { actor });
  return { result: "accept", actor };
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
  // Peers leave the context out of the proof; ours has it, and so another value.
  if (canonicalize(options) !== canonicalize(given)) return undefined;
  return ours === theirs ? undefined : "the signer makes another proof of it";
}

function proofOf({ proof }: JsonObject): JsonObject {
  return isJsonObject(proof) ? proof : {};
}
