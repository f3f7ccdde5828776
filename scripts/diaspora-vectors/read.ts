import { readFileSync } from "node:fs";
import { BadVectorFile, type VectorFile } from "./file.ts";

/** The required members of each part, by the name of its type. */
const STRING = ["string"];
const PERSON = {
  name: STRING,
  handle: STRING,
  guid: STRING,
  private_key_pkcs8: STRING,
  public_key_pem: STRING,
  local: ["boolean"],
  discoverable: ["boolean"],
};
const KNOWN = {
  type: STRING,
  guid: STRING,
  author: STRING,
  root_author: STRING,
  public: ["boolean"],
};
const VECTORS: Readonly<Record<string, Readonly<Record<string, string[]>>>> = {
  receive: { endpoint: STRING, body: STRING, "expected.verdict": STRING },
  author_signature: {
    signer: STRING,
    properties: ["array"],
    "expected.signature_base_string": STRING,
    "expected.author_signature": STRING,
  },
  build_envelope: {
    payload_xml: STRING,
    sender: STRING,
    key: STRING,
    "expected.data": STRING,
    "expected.key_id": STRING,
    "expected.signature_base_string": STRING,
    "expected.sig": STRING,
  },
  base64url: { input: STRING, "expected.encoded": STRING },
  diaspora_id: { input: STRING, "expected.valid": ["boolean"] },
  guid: { input: STRING, "expected.valid": ["boolean"] },
};

/** The supported kinds of known entities. */
const KNOWN_TYPES = new Set([
  "Post",
  "StatusMessage",
  "Reshare",
  "Comment",
  "Like",
  "Poll",
  "PollParticipation",
  "Event",
  "EventParticipation",
  "Photo",
  // The server does not store these, so they need not exist.
  "Conversation",
  "Message",
]);

/**
 * Reads a file of vectors and checks that it can be run.
 * @throws {BadVectorFile} for an unreadable file, another format, or an unknown kind
 */
export function readVectorFile(name: string): VectorFile {
  const file = parse(name);
  const people = listOf(file, "people");
  const known = listOf(file, "known_entities");
  const vectors = listOf(file, "vectors");
  people.forEach((one, at) => check(one, PERSON, `people[${at}]`));
  known.forEach((one, at) => checkKnown(one, `known_entities[${at}]`));
  vectors.forEach((one, at) => checkVector(one, `vectors[${at}]`));
  if (vectors.length === 0) throw new BadVectorFile("it has no vectors");
  const read = file as VectorFile;
  checkNames(read);
  return read;
}

function parse(name: string): unknown {
  let text: string;
  try {
    text = readFileSync(name, "utf8");
  } catch (error) {
    throw new BadVectorFile(`it cannot be read: ${String(error)}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BadVectorFile(`it is not JSON: ${String(error)}`);
  }
}

function listOf(file: unknown, name: string): unknown[] {
  const list = valueAt(file, name);
  if (!Array.isArray(list)) throw new BadVectorFile(`${name} is no array`);
  return list as unknown[];
}

function checkKnown(value: unknown, where: string): void {
  check(value, KNOWN, where);
  const type = String(valueAt(value, "type"));
  if (!KNOWN_TYPES.has(type))
    throw new BadVectorFile(`${where}: no server can be given a ${type}`);
}

function checkVector(value: unknown, where: string): void {
  check(value, { id: STRING, kind: STRING }, where);
  const kind = String(valueAt(value, "kind"));
  const named = `${where} (${String(valueAt(value, "id"))})`;
  const form = VECTORS[kind];
  if (!form) throw new BadVectorFile(`${named}: there is no kind ${kind}`);
  check(value, form, named);
  oneOf(value, "severity", ["must", "should", "info", undefined], named);
  if (kind !== "receive") return;
  oneOf(value, "endpoint", ["public", "private"], named);
  oneOf(value, "expected.verdict", ["accept", "reject"], named);
}

function oneOf(
  value: unknown,
  name: string,
  allowed: readonly (string | undefined)[],
  where: string,
): void {
  const found = valueAt(value, name) as string | undefined;
  if (!allowed.includes(found))
    throw new BadVectorFile(
      `${where}: ${name} is ${JSON.stringify(found)}, not one of ${allowed.filter(Boolean).join(", ")}`,
    );
}

function check(
  value: unknown,
  form: Readonly<Record<string, readonly string[]>>,
  where: string,
): void {
  for (const [name, types] of Object.entries(form)) {
    const found = valueAt(value, name);
    const type = Array.isArray(found) ? "array" : typeof found;
    if (!types.includes(type))
      throw new BadVectorFile(
        `${where}: ${name} is ${type === "undefined" ? "missing" : `of type ${type}`}`,
      );
  }
}

function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split(".")) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

function checkNames({ people, known_entities, vectors }: VectorFile): void {
  const names = new Set(people.flatMap(({ name, handle }) => [name, handle]));
  const need = (name: string | undefined, where: string) => {
    if (name === undefined || !names.has(name))
      throw new BadVectorFile(`${where}: nobody is called ${name ?? "so"}`);
  };
  if (!people.some(({ local }) => local))
    throw new BadVectorFile("the file has no local person");
  for (const known of known_entities) {
    need(known.author, known.guid);
    need(known.root_author, known.guid);
  }
  for (const vector of vectors) {
    if (vector.kind === "author_signature") need(vector.signer, vector.id);
    if (vector.kind === "build_envelope") need(vector.key, vector.id);
    if (vector.kind !== "receive" || vector.endpoint === "public") continue;
    need(vector.recipient, vector.id);
  }
}
