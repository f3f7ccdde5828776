import { signatureError } from "../errors.ts";
import { isHttpUrl } from "../urls.ts";

/** A `Signature` header by draft-cavage-http-signatures-12 §2.1, parsed but not verified. */
export type CavageSignature = {
  scheme: "cavage";
  keyId: string;
  /** The algorithm label as sent, lower-case. It is a claim: the key decides. */
  algorithm?: string;
  /** Names of the signed headers in their order, lower-case. */
  headers: string[];
  /** Seconds since 1970, with the digits as sent, because those are signed. */
  created?: string;
  expires?: string;
  signature: Uint8Array;
};

const PARAMETER =
  /[\t ]*([A-Za-z][A-Za-z0-9_-]*)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))[\t ]*(?:,|$)/y;
const MAX_LENGTH = 8192;
const MAX_HEADERS = 64;
const HEADER_NAME =
  /^(?:[!#$%&'*+.^_`|~0-9a-z-]+|\(request-target\)|\(created\)|\(expires\))$/;

/**
 * Reads a `Signature` header.
 * @throws {ActivityPubError} `signature_malformed`, also for a repeated parameter
 */
export function parseCavage(value: string): CavageSignature {
  const parameters = parseParameters(value);
  const keyId = parseKeyId(parameters.get("keyid"));
  const headers = parseHeaderList(parameters.get("headers"));
  const created = parseSeconds(parameters.get("created"), /^\d{1,12}$/);
  const expires = parseSeconds(
    parameters.get("expires"),
    /^\d{1,12}(?:\.\d{1,9})?$/,
  );
  const algorithm = parameters.get("algorithm")?.toLowerCase();
  const parsed: CavageSignature = {
    scheme: "cavage",
    keyId,
    headers,
    signature: parseBase64(parameters.get("signature") ?? ""),
  };
  if (algorithm !== undefined) parsed.algorithm = algorithm;
  if (created !== undefined) parsed.created = created;
  if (expires !== undefined) parsed.expires = expires;
  return parsed;
}

/**
 * Reads a list of parameters, keyed by lower-case name.
 * @throws {ActivityPubError} `signature_malformed`, also for a repeated parameter
 */
export function parseParameters(value: string): Map<string, string> {
  if (value.length > MAX_LENGTH) throw malformed("Too long");
  const parameters = new Map<string, string>();
  let at = 0;
  while (at < value.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(value);
    if (match === null) throw malformed("Not a list of parameters");
    at = PARAMETER.lastIndex;
    const name = (match[1] ?? "").toLowerCase();
    if (parameters.has(name)) throw malformed(`${name} is given twice`);
    parameters.set(name, unescaped(match[2]) ?? match[3] ?? "");
  }
  return parameters;
}

function unescaped(quoted: string | undefined): string | undefined {
  return quoted?.includes("\\") ? quoted.replaceAll(/\\(.)/g, "$1") : quoted;
}

/** Checks that a key id is a URL that can be fetched. */
export function parseKeyId(keyId: string | undefined): string {
  if (keyId === undefined || !isHttpUrl(keyId)) {
    throw malformed("The key id is no http(s) URL");
  }
  return keyId;
}

/** Decodes base64, canonical only: one signature must not have several spellings. */
export function parseBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (text === "" || bytes.toString("base64") !== text) {
    throw malformed("The signature is not base64");
  }
  return bytes;
}

/** Without the list the draft signs only the date (§2.1.6), which the verifier then refuses as too little. */
function parseHeaderList(list: string | undefined): string[] {
  const names = (list ?? "date").split(" ").filter((name) => name !== "");
  const lower = names.map((name) => name.toLowerCase());
  if (lower.length > MAX_HEADERS || !lower.every((n) => HEADER_NAME.test(n))) {
    throw malformed("The list of headers is not one");
  }
  return lower;
}

function parseSeconds(
  text: string | undefined,
  pattern: RegExp,
): string | undefined {
  if (text !== undefined && !pattern.test(text)) throw malformed("Not a time");
  return text;
}

function malformed(message: string) {
  return signatureError("malformed-signature-header", message);
}
