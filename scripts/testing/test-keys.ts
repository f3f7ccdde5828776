import { generateKeyPair } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** RSA pairs for the people in tests: thousands are needed, and generating one takes a large part of a second. */
export type TestKeys = { readonly remove: () => void };

/** More than the people of almost any test file. */
const COUNT = 64;

const generate = promisify(generateKeyPair);

/** Creates the pairs and puts their file into the environment for `test/support/credentials.ts` of the server. */
export async function createTestKeys(): Promise<TestKeys> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-keys-"));
  const file = path.join(folder, "keys.json");
  const pairs = await Promise.all(Array.from({ length: COUNT }, makePair));
  writeFileSync(file, JSON.stringify(pairs));
  process.env["KITH_TEST_KEYS"] = file;
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function makePair(): Promise<{ publicPem: string; privatePem: string }> {
  const { publicKey, privateKey } = await generate("rsa", {
    modulusLength: 2048,
  });
  const pem = { format: "pem" } as const;
  return {
    publicPem: String(publicKey.export({ ...pem, type: "spki" })),
    privatePem: String(privateKey.export({ ...pem, type: "pkcs8" })),
  };
}
