import { createPrivateKey, type KeyObject } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  base64urlEncode,
  buildEnvelope,
  buildRelayed,
  decryptEnvelope,
  isGuid,
  isHandle,
  isRelayable,
  migrationIdentities,
  migrationSignatureBase,
  parseEntity,
  parseEnvelope,
  relayableSignatureBase,
  signProperties,
  verifyAuthorSignature,
  verifyEnvelope,
  type Entity,
} from "@kith/diaspora";
import { toVectorForm } from "../../../packages/diaspora/test/vector-form.ts";
import {
  personOf,
  type PureVector,
  type ReceiveVector,
  type VectorFile,
  type VectorPerson,
} from "../file.ts";

/** The deviation of a vector that needs no server from its expectation, or undefined. */
export async function checkPure(
  file: VectorFile,
  vector: PureVector,
): Promise<string | undefined> {
  switch (vector.kind) {
    case "author_signature":
      return checkAuthorSignature(file, vector);
    case "build_envelope":
      return checkBuiltEnvelope(file, vector);
    case "base64url":
      return differs("encoded", vector.expected.encoded, [
        base64urlEncode(vector.input),
      ]);
    case "diaspora_id":
      return differs("valid", vector.expected.valid, [isHandle(vector.input)]);
    case "guid":
      return differs("valid", vector.expected.valid, [isGuid(vector.input)]);
  }
}

type Of<K extends PureVector["kind"]> = Extract<PureVector, { kind: K }>;

async function checkAuthorSignature(
  file: VectorFile,
  { signer, properties, expected }: Of<"author_signature">,
): Promise<string | undefined> {
  const person = personOf(file, signer);
  const authorSignature = await signProperties(properties, privateKey(person));
  const fields = new Map(properties);
  const written = buildRelayed({
    type: "comment",
    author: fields.get("author") ?? "",
    guid: fields.get("guid") ?? "",
    parentGuid: fields.get("parent_guid") ?? "",
    text: "not what is written",
    signed: { properties, authorSignature },
  });
  const type = relayableWith(fields);
  const entity = parseEntity(
    written.replaceAll(/(?<=<\/?)comment(?=>)/g, type),
  );
  if (!isRelayable(entity)) return "it is written as no relayable";
  return (
    differs("author_signature", expected.author_signature, [authorSignature]) ??
    differs("signature_base_string", expected.signature_base_string, [
      relayableSignatureBase(entity),
    ]) ??
    ((await verifyAuthorSignature(entity, person.public_key_pem))
      ? undefined
      : "the signature does not verify")
  );
}

/** The relayable with these properties. */
function relayableWith(fields: ReadonlyMap<string, string>): string {
  if (fields.has("poll_answer_guid")) return "poll_participation";
  if (fields.has("status")) return "event_participation";
  return fields.has("parent_type") ? "like" : "comment";
}

async function checkBuiltEnvelope(
  file: VectorFile,
  { payload_xml, sender, key, expected }: Of<"build_envelope">,
): Promise<string | undefined> {
  const xml = await buildEnvelope({
    payloadXml: payload_xml,
    sender,
    privateKey: privateKey(personOf(file, key)),
  });
  const [, data] = /<me:data [^>]*>(.*)<\/me:data>/.exec(xml) ?? [];
  const [, keyId, sig] = /key_id="(.*)">(.*)<\/me:sig>/.exec(xml) ?? [];
  return (
    differs("data", expected.data, [data]) ??
    differs("key_id", expected.key_id, [keyId]) ??
    differs("signature_base_string", expected.signature_base_string, [
      parseEnvelope(xml).signatureBase,
    ]) ??
    differs("sig", expected.sig, [sig])
  );
}

/** The deviation of a parsed message that should be accepted from its expectation. */
export async function checkRead(
  file: VectorFile,
  vector: ReceiveVector,
): Promise<string | undefined> {
  const { expected } = vector;
  const envelope = await openBody(file, vector);
  const { claimedSender } = parseEnvelope(envelope);
  const key = personOf(file, claimedSender).public_key_pem;
  const { sender, payloadXml } = await verifyEnvelope(
    parseEnvelope(envelope),
    key,
  );
  const entity = parseEntity(payloadXml);
  const read: Readonly<Record<string, unknown>> = {
    sender,
    payload_xml: payloadXml,
    entity_type: entity.type,
    entity: toVectorForm(entity),
    ...(vector.endpoint === "private" && { magic_envelope: envelope }),
    signature_base_string: signedText(entity),
  };
  for (const [name, value] of Object.entries(expected)) {
    if (!(name in read)) continue;
    const difference = differs(name, value, [read[name]]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/**
 * The decrypted envelope of a body.
 * @throws {DiasporaError} if it cannot be decrypted
 */
export async function openBody(
  file: VectorFile,
  { endpoint, recipient = "", body }: ReceiveVector,
): Promise<string> {
  if (endpoint === "public") return body;
  return decryptEnvelope(body, privateKey(personOf(file, recipient)));
}

function signedText(entity: Entity): string | undefined {
  if (isRelayable(entity)) return relayableSignatureBase(entity);
  if (entity.type !== "account_migration") return undefined;
  const { oldHandle, newHandle } = migrationIdentities(entity);
  return migrationSignatureBase(oldHandle, newHandle);
}

/** A person's private key, imported. */
export function privateKey({ private_key_pkcs8 }: VectorPerson): KeyObject {
  const key = Buffer.from(private_key_pkcs8, "base64");
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Describes two different values in one line. */
export function differs(
  what: string,
  expected: unknown,
  [found]: readonly [unknown],
): string | undefined {
  return isDeepStrictEqual(found, expected)
    ? undefined
    : `${what}: expected ${show(expected)}, got ${show(found)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
