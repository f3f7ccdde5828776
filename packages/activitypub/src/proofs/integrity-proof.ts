import { hash, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { decodeBase58, encodeBase58 } from "./base58.ts";
import { wholeSeconds } from "../build/build-parts.ts";
import { withProofContext } from "../context.ts";
import { ActivityPubError, signatureError } from "../errors.ts";
import { canonicalize } from "../json/jcs.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { publicKeyOf } from "../keys.ts";
import type { KeyLike } from "../keys.ts";
import { listOf, textOf, timeOf } from "../values.ts";

const CRYPTOSUITE = "eddsa-jcs-2022";

/** A proof that a document carries. Until it is verified it is a claim. */
export type IntegrityProof = {
  /** Id of the key, to be resolved like a key id of an HTTP signature. */
  verificationMethod: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  created?: string;
  raw: JsonObject;
};

/**
 * The integrity proof of a document that we can verify: of several, the first by eddsa-jcs-2022.
 * @returns undefined without one
 */
export function readIntegrityProof(
  document: JsonObject,
): IntegrityProof | undefined {
  for (const proof of listOf(document["proof"], 10)) {
    if (!isJsonObject(proof)) continue;
    const verificationMethod = textOf(proof["verificationMethod"], 2048);
    if (
      proof["type"] !== "DataIntegrityProof" ||
      proof["cryptosuite"] !== CRYPTOSUITE ||
      verificationMethod === undefined
    ) {
      continue;
    }
    const created = timeOf(proof["created"]);
    return {
      verificationMethod,
      ...(created !== undefined && { created }),
      raw: proof,
    };
  }
  return undefined;
}

/**
 * Adds a proof by eddsa-jcs-2022 (FEP-8b32) to a document with its `@context`. Only for what is public, or what
 * somebody else is to hand on: the proof convinces everyone who ever gets to see the document.
 * @param proof `keyId`: a Multikey in `assertionMethod` of the actor; `privateKey`: Ed25519
 */
export function addIntegrityProof(
  document: JsonObject,
  proof: { keyId: string; privateKey: KeyObject; now: Date },
): JsonObject {
  if (proof.privateKey.asymmetricKeyType !== "ed25519") {
    throw new ActivityPubError("unsupported", "Not an Ed25519 key");
  }
  const { proof: _, ...unsecured } = withProofContext(document);
  // With the context in the proof itself both ways of hashing it, that peers have, come to the same.
  const options: JsonObject = {
    "@context": unsecured["@context"] ?? [],
    type: "DataIntegrityProof",
    cryptosuite: CRYPTOSUITE,
    verificationMethod: proof.keyId,
    proofPurpose: "assertionMethod",
    created: wholeSeconds(proof.now.toISOString()),
  };
  const value = sign(null, hashesOf(options, unsecured), proof.privateKey);
  return {
    ...unsecured,
    proof: { ...options, proofValue: `z${encodeBase58(value)}` },
  };
}

/**
 * Verifies a proof over exactly the document as it was parsed. Afterwards the holder of the key has signed it;
 * that the key is one of `activity.actor` has to be checked with `requireSigner`.
 * @param key public key of `readIntegrityProof(document).verificationMethod`
 * @throws {ActivityPubError} `signature_missing`, `signature_malformed`, `signature_invalid` or `unsupported`
 * @see FEP-8b32; Data Integrity EdDSA Cryptosuites §3.3
 */
export function verifyIntegrityProof(document: JsonObject, key: KeyLike): void {
  const found = readIntegrityProof(document);
  if (found === undefined) {
    throw signatureError("no-signature", "No proof by eddsa-jcs-2022");
  }
  const { proofValue, ...options } = found.raw;
  if (options["proofPurpose"] !== "assertionMethod") {
    throw signatureError("wrong-proof-purpose");
  }
  const signature = parseProofValue(proofValue);
  const { proof: _, ...unsecured } = document;
  if (!extendsContext(unsecured["@context"], options["@context"])) {
    throw signatureError("bad-signature", "Another context than the proof");
  }
  // Who makes both signs the proof along (Fedify), and what is no authority proves nothing less when it is gone.
  const { signature: __, ...unsigned } = unsecured;
  const bodies = "signature" in unsecured ? [unsecured, unsigned] : [unsecured];
  const publicKey = publicKeyOf(key);
  if (publicKey.asymmetricKeyType !== "ed25519") {
    throw signatureError("unsupported-algorithm", "Not an Ed25519 key");
  }
  const isValid = bodies.some((body) =>
    candidatesOf(options, body).some((candidate) =>
      verify(null, hashesOf(candidate, body), publicKey, signature),
    ),
  );
  if (!isValid) throw signatureError("bad-signature", "The proof does not fit");
}

/** Mitra and Fedify hash the document's context with the proof, but do not send it there. */
function candidatesOf(
  options: JsonObject,
  unsecured: JsonObject,
): JsonObject[] {
  const context = unsecured["@context"];
  if ("@context" in options || context === undefined) return [options];
  return [options, { ...options, "@context": context }];
}

function hashesOf(options: JsonObject, unsecured: JsonObject): Uint8Array {
  return Buffer.concat([
    hash("sha256", canonicalize(options), "buffer"),
    hash("sha256", canonicalize(unsecured), "buffer"),
  ]);
}

function parseProofValue(value: JsonValue | undefined): Uint8Array {
  const text = typeof value === "string" ? value : "";
  const bytes = text.startsWith("z") ? decodeBase58(text.slice(1)) : undefined;
  if (bytes?.length !== 64) {
    throw signatureError("malformed-signature-header", "Not a proof value");
  }
  return bytes;
}

function extendsContext(
  document: JsonValue | undefined,
  proof: JsonValue | undefined,
): boolean {
  const whole = listOf(document).map(canonicalize);
  return listOf(proof)
    .map(canonicalize)
    .every((entry, at) => entry === whole[at]);
}
