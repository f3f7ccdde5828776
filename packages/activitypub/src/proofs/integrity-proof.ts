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

/** The proof of a document. It is a claim until it is verified. */
export type IntegrityProof = {
  /** Id of the key, to be resolved like a key id of an HTTP signature. */
  verificationMethod: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  created?: string;
  raw: JsonObject;
};

/**
 * Reads the integrity proof that we can verify: of several, the first with eddsa-jcs-2022.
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
 * Adds an eddsa-jcs-2022 proof (FEP-8b32) to a document with its `@context`. Use it only for documents that are public
 * or that another server is to forward: the proof convinces everyone who ever sees the document.
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
  // With the context in the proof itself, both ways in which peers hash it give the same result.
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
 * Verifies a proof over exactly the parsed document. It proves that the holder of the key signed the document; check
 * with `requireSigner` that the key belongs to `activity.actor`.
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
  // Fedify makes both and signs the proof too. A part that grants no authority proves no less when it is removed.
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

/** Mitra and Fedify hash the document's context with the proof, but do not send it in the proof. */
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
