import { base64Decode } from "../envelopes/base64.ts";
import type { Relayable, SignedProperties } from "./relayable-types.ts";
import {
  isSignatureOf,
  readPrivateKey,
  readPublicKey,
  signText,
} from "../envelopes/keys.ts";
import type { KeyLike } from "../envelopes/keys.ts";
import { writeValue } from "./build-entity.ts";
import { fieldsOf, SCHEMAS } from "./schema.ts";
import { validateEntity } from "./validate-entity.ts";
import { parseBoolean, parseTimestamp } from "../values.ts";
import { replaceNonXmlCharacters } from "../xml/xml-write.ts";

/**
 * Signs a relayable with its author's key and returns it with `signed` set, ready for `buildEntity`. A comment's text is
 * trimmed first: pods trim it when they store it, and would then relay a text that no longer matches the signature.
 * @throws {DiasporaError} stage `validation` if the entity breaks a rule; stage `author_signature`, `bad_key`
 * @see diaspora* federation protocol, Relayable
 */
export async function signRelayable<T extends Relayable>(
  entity: T,
  authorKey: KeyLike,
): Promise<T> {
  const tidy = tidyText(entity);
  validateEntity(tidy);
  const properties = ownProperties(tidy);
  const authorSignature = await signProperties(properties, authorKey);
  return { ...tidy, signed: { properties, authorSignature } };
}

/**
 * The text signed by the author of a relayable: all values joined by `;`, in document order if it was parsed, otherwise in our order.
 * @see diaspora* federation protocol, Relayable
 */
export function relayableSignatureBase(entity: Relayable): string {
  return joinValues(entity.signed?.properties ?? ownProperties(entity));
}

/**
 * Signs properties in the order given; for a relayable with properties unknown to this package.
 * @returns standard base64 in one line
 * @throws {DiasporaError} stage `author_signature`, `bad_key`
 */
export async function signProperties(
  properties: SignedProperties["properties"],
  authorKey: KeyLike,
): Promise<string> {
  const key = readPrivateKey(authorKey, "author_signature");
  const signature = await signText(joinValues(properties), key);
  return signature.toString("base64");
}

/**
 * Whether `authorSignature` is the author's, over the text as received. If not, the form signed by the reference is tried
 * too, with times and booleans re-formatted. A missing signature is false: the caller decides whether one is required (it
 * is not when the author is the root's author).
 * @throws {DiasporaError} stage `author_signature`, `bad_key`
 * @see diaspora* federation protocol, Relayable
 */
export function verifyAuthorSignature(
  entity: Relayable,
  authorKey: KeyLike,
): Promise<boolean> {
  return Promise.try(isSignedBy, entity, authorKey);
}

function isSignedBy(entity: Relayable, authorKey: KeyLike): boolean {
  const key = readPublicKey(authorKey, "author_signature");
  const signature = base64Decode(entity.signed?.authorSignature ?? "");
  if (!signature || signature.length === 0) return false;
  const asReceived = relayableSignatureBase(entity);
  if (isSignatureOf(asReceived, signature, key)) return true;
  const reformatted = reformattedSignatureBase(entity);
  return (
    reformatted !== asReceived && isSignatureOf(reformatted, signature, key)
  );
}

function joinValues(properties: SignedProperties["properties"]): string {
  return properties.map(([, value]) => value).join(";");
}

function ownProperties(entity: Relayable): SignedProperties["properties"] {
  const fields = fieldsOf(entity);
  return SCHEMAS[entity.type].flatMap(({ key, name }) => {
    const value = fields[key];
    if (value === undefined || typeof value === "object") return [];
    return [[name, replaceNonXmlCharacters(writeValue(value))]];
  });
}

function reformattedSignatureBase(entity: Relayable): string {
  const kinds = new Map<string, string>(
    SCHEMAS[entity.type].map(({ name, kind }) => [name, kind.is]),
  );
  const properties = entity.signed?.properties ?? [];
  return properties
    .map(([name, value]) => {
      const kind = kinds.get(name);
      if (kind === "timestamp") return parseTimestamp(value) ?? value;
      if (kind === "boolean") return String(parseBoolean(value) ?? value);
      return value;
    })
    .join(";");
}

function tidyText<T extends Relayable>(entity: T): T {
  if (entity.type !== "comment") return entity;
  return { ...entity, text: replaceNonXmlCharacters(trimOuter(entity.text)) };
}

/** Trims the characters that pods trim: blanks, tabs, line ends, form feeds, NUL; not other Unicode white space. */
function trimOuter(text: string): string {
  const isOuter = (index: number) =>
    " \t\r\n\v\f\0".includes(text.charAt(index));
  let start = 0;
  let end = text.length;
  while (start < end && isOuter(start)) start += 1;
  while (end > start && isOuter(end - 1)) end -= 1;
  return text.slice(start, end);
}
