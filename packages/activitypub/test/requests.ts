import { generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { ReceivedRequest } from "../src/signatures/request.ts";
import { privateKeyOf, vectorKey } from "./vectors.ts";
import { importPublicKey } from "../src/keys.ts";

export const ORIGIN = "https://kith.example";
export const NOW = new Date("2026-06-15T10:00:00Z");
export const KEY_ID = "https://peer.example/users/bob#main-key";
export const options = { now: NOW, origin: ORIGIN };

/** A key pair that is quick to generate. */
export const rsa = {
  privateKey: privateKeyOf(vectorKey("mastodon")),
  publicKey: importPublicKey(vectorKey("mastodon").publicKeyPem),
};

export const ed25519: { privateKey: KeyObject; publicKey: KeyObject } =
  generateKeyPairSync("ed25519");

/** The received form of a request sent with these headers. */
export function arrived(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: Uint8Array,
): ReceivedRequest {
  const { pathname, search } = new URL(url);
  const request: ReceivedRequest = {
    method,
    path: `${pathname}${search}`,
    headers: Object.entries(headers),
  };
  return body === undefined ? request : { ...request, body };
}

/** The same request with one header replaced, or removed by undefined. */
export function withHeader(
  request: ReceivedRequest,
  name: string,
  value: string | undefined,
): ReceivedRequest {
  const others = request.headers.filter(([known]) => known !== name);
  return {
    ...request,
    headers: value === undefined ? others : [...others, [name, value]],
  };
}
