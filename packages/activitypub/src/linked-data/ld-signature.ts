import { hash, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { wholeSeconds } from "../build/build-parts.ts";
import { ActivityPubError, signatureError } from "../errors.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { publicKeyOf } from "../keys.ts";
import type { KeyLike } from "../keys.ts";
import { textOf, timeOf } from "../values.ts";
import { checkJsonLdBounds } from "./json-ld-bounds.ts";
import type { JsonLd } from "./json-ld.ts";

const IDENTITY = "https://w3id.org/identity/v1";
const SIGNATURE_TYPE = "RsaSignature2017";
/** Keywords that can make a document mean something other than its plain JSON. */
const RESTRUCTURING = new Set(["@graph", "@included", "@reverse"]);

const signInPool = promisify(sign);

/** The signature of a document. It is a claim until it is verified. */
export type LdSignature = {
  /** Id of the key, to be resolved like a key id of an HTTP signature. */
  creator: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  created?: string;
  raw: JsonObject;
};

/**
 * Reads the RsaSignature2017 of a document.
 * @returns undefined without a signature, and when `@graph` or a similar keyword makes the document mean something
 *   other than its plain JSON: such a document counts as unsigned
 */
export function readLdSignature(document: JsonObject): LdSignature | undefined {
  const raw = document["signature"];
  if (!isJsonObject(raw) || raw["type"] !== SIGNATURE_TYPE) return undefined;
  const creator = textOf(raw["creator"], 2048);
  if (creator === undefined || isRestructured(document)) return undefined;
  const created = timeOf(raw["created"]);
  return { creator, ...(created !== undefined && { created }), raw };
}

/**
 * Adds an RsaSignature2017 to a document with its `@context`. Use it only for public documents: the signature convinces
 * everyone who ever sees the document.
 * @param signature `keyId`: the actor's RSA key; `privateKey`: RSA
 * @throws {ActivityPubError} `unsupported` for another key, a context that is not bundled, or a document above
 *   {@link JSON_LD_BOUNDS}
 */
export async function addLdSignature(
  document: JsonObject,
  signature: { keyId: string; privateKey: KeyObject; now: Date },
  jsonLd: Pick<JsonLd, "canonize">,
): Promise<JsonObject> {
  if (signature.privateKey.asymmetricKeyType !== "rsa") {
    throw new ActivityPubError("unsupported", "Not an RSA key");
  }
  const { signature: _, ...unsigned } = document;
  const options: JsonObject = {
    "@context": IDENTITY,
    creator: signature.keyId,
    created: wholeSeconds(signature.now.toISOString()),
  };
  const data = await dataOf(options, unsigned, jsonLd);
  const value = await signInPool("sha256", data, signature.privateKey);
  const { "@context": _context, ...shown } = options;
  return {
    ...unsigned,
    signature: {
      type: SIGNATURE_TYPE,
      ...shown,
      signatureValue: value.toString("base64"),
    },
  };
}

/**
 * Verifies the LD signature of a document. It proves that the holder of the key signed the JSON-LD meaning of the
 * document, which is less than its JSON: enough for forwarding it unchanged, never for trusting its content.
 * @param key public key of `readLdSignature(document).creator`
 * @throws {ActivityPubError} `signature_missing`, `signature_malformed`, `signature_invalid` or `unsupported`, also
 *   for a document above {@link JSON_LD_BOUNDS}
 */
export function verifyLdSignature(
  document: JsonObject,
  key: KeyLike,
  jsonLd: Pick<JsonLd, "canonize">,
): Promise<void> {
  return createLdVerifier(document, jsonLd)(key);
}

/**
 * The same for several keys of one signer: the document is canonized only once.
 * @returns a function that throws as {@link verifyLdSignature} does
 */
export function createLdVerifier(
  document: JsonObject,
  jsonLd: Pick<JsonLd, "canonize">,
): (key: KeyLike) => Promise<void> {
  let signed: Promise<Uint8Array> | undefined;
  return async (key) => {
    const found = readLdSignature(document);
    if (found === undefined) {
      throw isRestructured(document)
        ? signatureError("json-ld-restructuring")
        : signatureError("no-signature", "No RsaSignature2017");
    }
    const { signature: _, ...unsigned } = document;
    const { type: _type, id: _id, signatureValue, ...given } = found.raw;
    const bytes = Buffer.from(textOf(signatureValue) ?? "", "base64");
    const publicKey = publicKeyOf(key);
    if (publicKey.asymmetricKeyType !== "rsa") {
      throw signatureError("unsupported-algorithm", "Not an RSA key");
    }
    const options = { ...given, "@context": IDENTITY };
    signed ??= dataOf(options, unsigned, jsonLd);
    if (!verify("sha256", await signed, publicKey, bytes)) {
      throw signatureError("bad-signature", "The signature does not fit");
    }
  };
}

async function dataOf(
  options: JsonObject,
  unsigned: JsonObject,
  jsonLd: Pick<JsonLd, "canonize">,
): Promise<Uint8Array> {
  checkJsonLdBounds(options);
  checkJsonLdBounds(unsigned);
  const hashes = [
    hash("sha256", await jsonLd.canonize(options), "hex"),
    hash("sha256", await jsonLd.canonize(unsigned), "hex"),
  ];
  return Buffer.from(hashes.join(""));
}

/** Also under an alias: a context may give `@graph` any name. */
function isRestructured(value: JsonValue): boolean {
  if (typeof value === "string") return RESTRUCTURING.has(value);
  if (isJsonArray(value)) return value.some(isRestructured);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => RESTRUCTURING.has(name) || isRestructured(inner),
  );
}
