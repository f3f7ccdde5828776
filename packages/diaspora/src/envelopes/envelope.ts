import type { Buffer } from "node:buffer";
import { base64Decode, base64urlEncode } from "./base64.ts";
import { DiasporaError } from "../errors.ts";
import type { DiasporaErrorCode } from "../errors.ts";
import { isHandle } from "../identifiers.ts";
import {
  isSignatureOf,
  readPrivateKey,
  readPublicKey,
  signText,
} from "./keys.ts";
import type { KeyLike } from "./keys.ts";
import { decodeDocument, parseXml } from "../xml/xml.ts";
import type { XmlElement } from "../xml/xml.ts";

/** Content type of a magic envelope, when posted and when served. */
export const MAGIC_ENVELOPE_TYPE = "application/magic-envelope+xml";

const NAMESPACE = "http://salmon-protocol.org/ns/magic-env";
const PAYLOAD_TYPE = "application/xml";
const ENCODING = "base64url";
const ALGORITHM = "RSA-SHA256";
const SIGNED_TAIL = [PAYLOAD_TYPE, ENCODING, ALGORITHM]
  .map((part) => `.${base64urlEncode(part)}`)
  .join("");

/** A well-formed envelope. Sender and payload are claims until {@link verifyEnvelope} succeeds. */
export interface UnverifiedEnvelope {
  /** The handle in `key_id`: fetch this person's public key. */
  readonly claimedSender: string;
  /** The signed string. */
  readonly signatureBase: string;
  readonly signature: Uint8Array;
  /**
   * Decodes the payload on each call.
   * @throws {DiasporaError} stage `payload`, `bad_encoding` if it is not UTF-8
   */
  payloadXml(): string;
}

/** An envelope with a verified signature of `sender`. */
export interface VerifiedEnvelope {
  readonly sender: string;
  readonly payloadXml: string;
}

/** The input of {@link buildEnvelope}. */
export interface EnvelopeInput {
  /** The entity, as serialized by `buildEntity`. */
  readonly payloadXml: string;
  /** Handle of the signer: the author, or the root's author for relayed entities. */
  readonly sender: string;
  readonly privateKey: KeyLike;
}

/**
 * Wraps a payload in an envelope and signs it, in the thread pool.
 * @returns the envelope as XML; the same for the same input
 * @throws {DiasporaError} stage `envelope`: `bad_sender` or `bad_key`
 * @see diaspora* federation protocol, Magic Signatures
 */
export async function buildEnvelope(input: EnvelopeInput): Promise<string> {
  if (!isHandle(input.sender)) {
    throw fault("bad_sender", "The sender is no handle");
  }
  const key = readPrivateKey(input.privateKey, "envelope");
  const data = base64urlEncode(input.payloadXml);
  const signature = await signText(data + SIGNED_TAIL, key);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<me:env xmlns:me="${NAMESPACE}">`,
    `  <me:data type="${PAYLOAD_TYPE}">${data}</me:data>`,
    `  <me:encoding>${ENCODING}</me:encoding>`,
    `  <me:alg>${ALGORITHM}</me:alg>`,
    `  <me:sig key_id="${base64urlEncode(input.sender)}">${base64urlEncode(signature)}</me:sig>`,
    "</me:env>",
    "",
  ].join("\n");
}

/**
 * Parses an envelope and checks its form, without trusting it. White space inside the values and missing padding are
 * accepted; the signed string is always built from the re-encoded data, as in the reference.
 * @throws {DiasporaError} stage `envelope`
 * @see diaspora* federation protocol, Magic Signatures
 */
export function parseEnvelope(body: Uint8Array | string): UnverifiedEnvelope {
  const root = parseXml(decodeDocument(body, "envelope"), "envelope");
  // The reference looks for exactly the literal prefix, so peers write nothing else.
  if (root.name !== "me:env") {
    throw fault("not_an_envelope", "The root element is not me:env");
  }
  const data = findChild(root, "me:data");
  const signature = findChild(root, "me:sig");
  if (data.text === "") throw fault("missing_data", "No data");
  if (data.attributes["type"] !== PAYLOAD_TYPE) {
    throw fault("unsupported_type", "The data's type is not supported");
  }
  if (findChild(root, "me:encoding").text !== ENCODING) {
    throw fault("unsupported_encoding", "The encoding is not supported");
  }
  if (findChild(root, "me:alg").text !== ALGORITHM) {
    throw fault("unsupported_algorithm", "The algorithm is not supported");
  }
  const payload = decode(data.text, "missing_data");
  return {
    claimedSender: readSender(signature),
    signatureBase: base64urlEncode(payload) + SIGNED_TAIL,
    signature: decode(signature.text, "missing_signature"),
    payloadXml: () => decodeDocument(payload, "payload"),
  };
}

/**
 * Checks an envelope's signature. A cached KeyObject from `readPublicKey` makes this several times faster than a PEM.
 * @param senderKey public key of `envelope.claimedSender`
 * @throws {DiasporaError} stage `envelope_signature`: `bad_signature` or `bad_key`; stage `payload`: `bad_encoding`
 * @see diaspora* federation protocol, Magic Signatures
 */
export function verifyEnvelope(
  envelope: UnverifiedEnvelope,
  senderKey: KeyLike,
): Promise<VerifiedEnvelope> {
  return Promise.try(openEnvelope, envelope, senderKey);
}

function openEnvelope(
  envelope: UnverifiedEnvelope,
  senderKey: KeyLike,
): VerifiedEnvelope {
  const key = readPublicKey(senderKey, "envelope_signature");
  if (!isSignatureOf(envelope.signatureBase, envelope.signature, key)) {
    throw new DiasporaError(
      "envelope_signature",
      "bad_signature",
      "The envelope's signature does not fit",
    );
  }
  return { sender: envelope.claimedSender, payloadXml: envelope.payloadXml() };
}

function findChild(root: XmlElement, name: string): XmlElement {
  return root.children.find((child) => child.name === name) ?? NOTHING;
}

const NOTHING: XmlElement = {
  name: "",
  attributes: {},
  children: [],
  text: "",
};

function readSender(signature: XmlElement): string {
  const bytes = base64Decode(signature.attributes["key_id"] ?? "");
  const sender = bytes?.toString("utf8") ?? "";
  if (!isHandle(sender)) throw fault("bad_sender", "key_id holds no handle");
  return sender;
}

function decode(text: string, ifEmpty: DiasporaErrorCode): Buffer {
  const bytes = base64Decode(text);
  if (!bytes) throw fault("bad_encoding", "Not base64url");
  if (bytes.length === 0) throw fault(ifEmpty, "An empty value");
  return bytes;
}

function fault(code: DiasporaErrorCode, message: string): DiasporaError {
  return new DiasporaError("envelope", code, message);
}
