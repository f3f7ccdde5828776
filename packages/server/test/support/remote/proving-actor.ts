import { generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  addIntegrityProof,
  encodeMultikey,
  type JsonObject,
} from "@kith/activitypub";
import type { RemoteActor } from "./remote-server.ts";

const CONTEXT = [
  "https://www.w3.org/ns/activitystreams",
  "https://w3id.org/security/data-integrity/v1",
];

/** Gives an actor elsewhere a key for proofs. @returns adds its proof to a document */
export function proving(
  actor: RemoteActor,
): (document: JsonObject, now?: Date) => JsonObject {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keyId = `${actor.id}#proofs`;
  const publicKeyMultibase = encodeMultikey(publicKey);
  const key = { id: keyId, type: "Multikey", controller: actor.id };
  actor.profile = {
    ...actor.profile,
    assertionMethod: [{ ...key, publicKeyMultibase }],
  };
  return proverWith(keyId, privateKey);
}

/** Adds proofs that name one key and are made with another one, or the same. */
export function proverWith(
  keyId: string,
  privateKey: KeyObject,
): (document: JsonObject, now?: Date) => JsonObject {
  return (document, now = new Date()) =>
    addIntegrityProof(
      { ...document, "@context": CONTEXT },
      { keyId, privateKey, now },
    );
}

/** The id of a document that has one. */
export function idOf(document: JsonObject | undefined): string {
  const id = document?.["id"];
  return typeof id === "string" ? id : "";
}
