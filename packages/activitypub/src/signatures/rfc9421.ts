import { signatureError } from "../errors.ts";
import { parseBase64, parseKeyId } from "./cavage.ts";

/** A signature by RFC 9421, parsed but not verified. */
export type Rfc9421Signature = {
  scheme: "rfc9421";
  keyId: string;
  label: string;
  /** Names of the covered components in their order. */
  components: string[];
  /** The member of `Signature-Input` as sent: the value of `@signature-params` (RFC 9421 §2.3). */
  parameters: string;
  algorithm?: string;
  /** Seconds since 1970. */
  created?: number;
  expires?: number;
  signature: Uint8Array;
};

const MEMBER = /^[\t ]*([a-z*][a-z0-9_.*-]*)=(.+)$/s;
const COMPONENT = / *"([!#$%&'*+.^_`|~0-9a-z@-]+)" */y;
const PARAMETER =
  / *; *([a-z*][a-z0-9_.*-]*)(?:=(?:"((?:[^"\\]|\\["\\])*)"|(-?\d{1,15})|([A-Za-z*][^\s;,"()]*)))?/y;
const MAX_LENGTH = 8192;
const MAX_MEMBERS = 10;

/**
 * Reads the first signature present in both headers, whatever its label. Component parameters (`;sf`, `;req` …) are not
 * supported and make it malformed.
 * @throws {ActivityPubError} `signature_malformed`
 */
export function parseRfc9421(
  input: string,
  signatures: string,
): Rfc9421Signature {
  const inputs = parseDictionary(input);
  const values = parseDictionary(signatures);
  for (const [label, parameters] of inputs) {
    const value = values.get(label);
    if (value === undefined) continue;
    const bytes = /^:([A-Za-z0-9+/]*={0,2}):$/.exec(value)?.[1];
    if (bytes === undefined)
      throw malformed("The signature is no byte sequence");
    return {
      scheme: "rfc9421",
      label,
      parameters,
      ...parseInput(parameters),
      signature: parseBase64(bytes),
    };
  }
  throw malformed("No label stands in both headers");
}

function parseDictionary(value: string): Map<string, string> {
  if (value.length > MAX_LENGTH) throw malformed("Too long");
  const members = new Map<string, string>();
  for (const part of splitMembers(value)) {
    const [, label, text] = MEMBER.exec(withoutBlanks(part)) ?? [];
    if (label === undefined || text === undefined || members.has(label)) {
      throw malformed("Not a dictionary");
    }
    members.set(label, text);
  }
  if (members.size > MAX_MEMBERS) throw malformed("Too many signatures");
  return members;
}

/**
 * Splits at commas outside of quoted strings; byte sequences contain none. Not a regular expression, because that takes
 * quadratic time when a quote is never closed.
 */
function splitMembers(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === "\\") at += 1;
    else if (!isQuoted && character === ",") {
      parts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  if (isQuoted) throw malformed("A string without an end");
  parts.push(value.slice(start));
  return parts.filter((part) => part !== "");
}

/** Trims trailing blanks. Not a regular expression, because that takes quadratic time. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && "\t ".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function parseInput(
  text: string,
): Pick<
  Rfc9421Signature,
  "keyId" | "components" | "algorithm" | "created" | "expires"
> {
  const { components, end } = parseComponents(text);
  const parameters = parseParameters(text, end);
  const algorithm = parameters.get("alg");
  const created = parseTime(parameters.get("created"));
  const expires = parseTime(parameters.get("expires"));
  return {
    keyId: parseKeyId(parameters.get("keyid")),
    components,
    ...(algorithm !== undefined && { algorithm }),
    ...(created !== undefined && { created }),
    ...(expires !== undefined && { expires }),
  };
}

function parseComponents(text: string): { components: string[]; end: number } {
  if (!text.startsWith("(")) throw malformed("Not a list of components");
  const components = new Set<string>();
  let at = 1;
  for (;;) {
    COMPONENT.lastIndex = at;
    const name = COMPONENT.exec(text)?.[1];
    if (name === undefined) break;
    if (components.has(name)) throw malformed("A component stands twice");
    components.add(name);
    at = COMPONENT.lastIndex;
  }
  if (text[at] !== ")") throw malformed("Not a list of components");
  return { components: [...components], end: at + 1 };
}

function parseParameters(text: string, start: number): Map<string, string> {
  const parameters = new Map<string, string>();
  let at = start;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) throw malformed("Not a list of parameters");
    at = PARAMETER.lastIndex;
    const name = match[1] ?? "";
    if (parameters.has(name)) throw malformed(`${name} is given twice`);
    const quoted = match[2]?.replaceAll(/\\(.)/g, "$1");
    parameters.set(name, quoted ?? match[3] ?? match[4] ?? "");
  }
  return parameters;
}

function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw malformed("Not a time");
  return Number(text);
}

function malformed(message: string) {
  return signatureError("malformed-signature-header", message);
}
