import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { readPublicKey } from "../src/envelopes/keys.ts";

const FOLDER = new URL("../../../test/vectors/diaspora/", import.meta.url);

export interface Person {
  readonly name: string;
  readonly handle: string;
  readonly discoverable: boolean;
  readonly private_key_pkcs8: string;
  readonly public_key_pem: string;
}

export interface KnownEntity {
  readonly type: string;
  readonly guid: string;
  readonly author: string;
  readonly local: boolean;
  readonly root_author: string;
  readonly root_local: boolean;
}

export interface ReceiveVector {
  readonly kind: "receive";
  readonly id: string;
  readonly endpoint: "public" | "private";
  readonly recipient?: string;
  readonly severity: "must" | "should" | "info";
  readonly body: string;
  readonly expected: {
    readonly verdict: "accept" | "reject";
    readonly stage?: string;
    readonly sender?: string;
    readonly entity_type?: string;
    readonly entity?: Readonly<Record<string, unknown>>;
    readonly payload_xml?: string;
    readonly signature_base_string?: string;
  };
}

export interface AuthorSignatureVector {
  readonly kind: "author_signature";
  readonly id: string;
  readonly entity_type: string;
  readonly signer: string;
  readonly properties: [string, string][];
  readonly expected: {
    readonly signature_base_string: string;
    readonly author_signature: string;
  };
}

export interface BuildEnvelopeVector {
  readonly kind: "build_envelope";
  readonly id: string;
  readonly payload_xml: string;
  readonly sender: string;
  readonly key: string;
  readonly expected: {
    readonly data: string;
    readonly key_id: string;
    readonly signature_base_string: string;
    readonly sig: string;
  };
}

export interface EncodingVector {
  readonly kind: "base64url";
  readonly id: string;
  readonly input: string;
  readonly expected: { readonly encoded: string };
}

export interface IdentifierVector<Kind extends "diaspora_id" | "guid"> {
  readonly kind: Kind;
  readonly id: string;
  readonly input: string;
  readonly expected: { readonly valid: boolean };
}

export type Vector =
  | ReceiveVector
  | AuthorSignatureVector
  | BuildEnvelopeVector
  | EncodingVector
  | IdentifierVector<"diaspora_id">
  | IdentifierVector<"guid">;

interface VectorFile {
  readonly people: readonly Person[];
  readonly known_entities: readonly KnownEntity[];
  readonly counts: Readonly<Record<Vector["kind"], number>>;
  readonly vectors: readonly Vector[];
}

/** A file of the fixture folder, as text. */
export function readFixture(path: string): string {
  return readFileSync(new URL(path, FOLDER), "utf8");
}

export const vectorFile = JSON.parse(readFixture("vectors.json")) as VectorFile;

/** The vectors of one kind. */
export function vectorsOf<K extends Vector["kind"]>(
  kind: K,
): Extract<Vector, { kind: K }>[] {
  const isOfKind = (vector: Vector): vector is Extract<Vector, { kind: K }> =>
    vector.kind === kind;
  return vectorFile.vectors.filter(isOfKind);
}

/** A receive vector by its id. */
export function receiveVector(id: string): ReceiveVector {
  const vector = vectorsOf("receive").find((one) => one.id === id);
  if (!vector) throw new Error(`No vector ${id}`);
  return vector;
}

/** A person by name or handle. */
export function person(nameOrHandle: string): Person {
  const found = findPerson(nameOrHandle);
  if (!found) throw new Error(`No person ${nameOrHandle}`);
  return found;
}

export function findPerson(nameOrHandle: string): Person | undefined {
  return vectorFile.people.find(
    ({ name, handle }) => name === nameOrHandle || handle === nameOrHandle,
  );
}

export function privateKeyOf(nameOrHandle: string): KeyObject {
  const key = Buffer.from(person(nameOrHandle).private_key_pkcs8, "base64");
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

export function publicKeyOf(nameOrHandle: string): KeyObject {
  return readPublicKey(person(nameOrHandle).public_key_pem);
}
