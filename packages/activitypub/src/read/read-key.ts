import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { decodeMultikey } from "../keys.ts";
import { sameOrigin } from "../urls.ts";
import { idOf, idTextOf, listOf, textOf } from "../values.ts";

/** A public key in a document; the owner is only claimed by that document. */
export type PublicKey = { id: string; owner: string; pem: string };

const MAX_KEYS = 10;

/** The keys that an actor document lists for this actor: of its own origin, owned by it, with unique ids. */
export function readKeys(json: JsonObject, actorId: string): PublicKey[] {
  const keys = new Map<string, PublicKey>();
  for (const key of entriesOf(json, actorId)) {
    if (key.owner !== actorId || !sameOrigin(key.id, actorId)) continue;
    if (!keys.has(key.id)) keys.set(key.id, key);
  }
  return [...keys.values()];
}

/**
 * Finds one key in the document served at its URL: (a) an actor, or GoToSocial's stub of one, that lists the key in
 * `publicKey` or `assertionMethod`, or (b) a key document, as CryptographicKey or Multikey. `owner` must still be
 * confirmed by the owner's own document.
 */
export function readKeyDocument(
  json: JsonObject,
  keyId: string,
): { pem: string; owner: string } | undefined {
  const owner = idOf(json["id"]) ?? "";
  const alone = readKey(json, "");
  const found = [
    ...(alone === undefined ? [] : [alone]),
    ...entriesOf(json, owner),
  ].find((key) => key.id === keyId && key.owner !== "");
  return found === undefined
    ? undefined
    : { pem: found.pem, owner: found.owner };
}

function entriesOf(json: JsonObject, defaultOwner: string): PublicKey[] {
  const entries = [
    ...listOf(json["publicKey"], MAX_KEYS),
    ...listOf(json["assertionMethod"], MAX_KEYS),
  ];
  return entries.flatMap((entry) => readKey(entry, defaultOwner) ?? []);
}

function readKey(
  value: JsonValue,
  defaultOwner: string,
): PublicKey | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = idTextOf(value["id"]);
  const pem = readPem(value);
  if (id === undefined || pem === undefined) return undefined;
  const owner = idOf(value["owner"]) ?? idOf(value["controller"]);
  return { id, owner: owner ?? defaultOwner, pem };
}

function readPem(key: JsonObject): string | undefined {
  const pem = textOf(key["publicKeyPem"], 16_384);
  if (pem !== undefined) return pem;
  const multibase = textOf(key["publicKeyMultibase"], 512);
  if (multibase === undefined) return undefined;
  const decoded = decodeMultikey(multibase);
  return decoded?.export({ format: "pem", type: "spki" }).toString();
}
