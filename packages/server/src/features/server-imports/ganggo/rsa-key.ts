import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/**
 * The private key of an account, if it fits the public key that others know. GangGo writes
 * PKCS#1 below the title of PKCS#8.
 */
export function readRsaKey(
  privatePem: string,
  publicPem: string,
): KeyObject | undefined {
  const key = readPrivate(bytesOf(privatePem));
  const known = read(() => createPublicKey(publicPem));
  if (key?.asymmetricKeyType !== "rsa" || !known) return undefined;
  return createPublicKey(key).equals(known) ? key : undefined;
}

function readPrivate(der: Buffer): KeyObject | undefined {
  const as = (type: "pkcs1" | "pkcs8") =>
    read(() => createPrivateKey({ key: der, format: "der", type }));
  return as("pkcs1") ?? as("pkcs8");
}

function bytesOf(pem: string): Buffer {
  const lines = pem.split("\n").filter((line) => !line.startsWith("-----"));
  return Buffer.from(lines.join(""), "base64");
}

function read(make: () => KeyObject): KeyObject | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
