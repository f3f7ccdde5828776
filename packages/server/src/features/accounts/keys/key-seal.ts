import { createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import type { UserId } from "../../ids.ts";
import { openBytes, sealBytes } from "./seal.ts";

/** The two keys of an account: RSA for requests and envelopes, Ed25519 for integrity proofs. */
export type KeyKind = "rsa" | "ed25519";

/**
 * Identifies a private key by owner and kind: a sealed key opens only for the same owner
 * and kind.
 */
export type KeyOwner =
  | { readonly userId: UserId; readonly kind: KeyKind }
  | { readonly server: string };

/** Encrypts private keys before they are stored. */
export type KeySeal = {
  /** @param pem PKCS#8 */
  seal(pem: string, owner: KeyOwner): string;
  /** @throws {KeyNotOpened} also for a key in plaintext */
  open(stored: string, owner: KeyOwner): KeyObject;
};

/** Names the key, but never reveals the stored value. */
export class KeyNotOpened extends Error {
  constructor(owner: KeyOwner) {
    super(`The ${nameOf(owner)} cannot be opened with this secret key`);
    this.name = "KeyNotOpened";
  }
}

/** Prefix of every sealed key; the number is the version of the format. */
export const SEALED_MARK = "sealed:1:";
const PURPOSE = "kith private keys";
const KEY_BYTES = 32;

/**
 * AES-256-GCM, with a key derived from the server's for this purpose only (RFC 5869).
 * @param secretKey 32 bytes
 */
export function createKeySeal(secretKey: Uint8Array): KeySeal {
  const key = Buffer.from(
    hkdfSync("sha256", secretKey, "", PURPOSE, KEY_BYTES),
  );
  const boundTo = (owner: KeyOwner): string => SEALED_MARK + nameOf(owner);
  return {
    seal: (pem, owner) =>
      SEALED_MARK + sealBytes(key, bytesOf(pem), boundTo(owner)),
    open: (stored, owner) => {
      if (!isSealed(stored)) throw new KeyNotOpened(owner);
      const sealed = stored.slice(SEALED_MARK.length);
      try {
        return parse(openBytes(key, sealed, boundTo(owner)));
      } catch {
        throw new KeyNotOpened(owner);
      }
    },
  };
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(SEALED_MARK);
}

/** Part of the authenticated data: if this format changes, sealed keys no longer open. */
function nameOf(owner: KeyOwner): string {
  return "server" in owner
    ? `private key ${owner.server} of the server`
    : `private key ${owner.kind} of user ${owner.userId}`;
}

const PKCS8 =
  /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/** DER is shorter and parsed directly. Input that is not such a PEM is kept as it is. */
function bytesOf(pem: string): Buffer {
  const body = PKCS8.exec(pem)?.[1];
  return body === undefined ? Buffer.from(pem) : Buffer.from(body, "base64");
}

function parse(bytes: Buffer): KeyObject {
  return bytes.subarray(0, 5).toString() === "-----"
    ? createPrivateKey(bytes)
    : createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
}
