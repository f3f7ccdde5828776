import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

/** The keys of one account, in PEM (SPKI, PKCS#8). */
export type KeyPairs = {
  readonly rsaPublicPem: string;
  readonly rsaPrivatePem: string;
  readonly ed25519PrivatePem: string;
};

/**
 * Generates an account's keys in the thread pool: one RSA-2048 pair, which serves both
 * protocols and is never changed, and an Ed25519 pair for integrity proofs.
 */
export async function makeKeyPairs(): Promise<KeyPairs> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 });
  return completeKeyPairs(privateKey);
}

/** The keys of an account that has an RSA key already. */
export async function completeKeyPairs(rsa: KeyObject): Promise<KeyPairs> {
  const ed25519 = await generate("ed25519");
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  const publicKey = createPublicKey(rsa);
  return {
    rsaPublicPem: String(publicKey.export({ type: "spki", format: "pem" })),
    rsaPrivatePem: String(rsa.export(pkcs8)),
    ed25519PrivatePem: String(ed25519.privateKey.export(pkcs8)),
  };
}
