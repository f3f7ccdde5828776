import { generatePrime } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Primes for the RSA pairs of people in tests: thousands of pairs are needed, and finding two primes takes a
 * tenth of a second. Each two of these primes make a pair.
 */
export type TestKeys = { readonly remove: () => void };

/** They make 2,016 pairs, more than the people of any test file. */
const COUNT = 64;
const BITS = 1024;
/** The public exponent of all pairs. */
const EXPONENT = 65_537n;

/** Creates the primes and puts their file into the environment for `test/support/server/credentials.ts` of the server. */
export async function createTestKeys(): Promise<TestKeys> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-keys-"));
  const file = path.join(folder, "primes.json");
  const primes = await Promise.all(Array.from({ length: COUNT }, makePrime));
  writeFileSync(
    file,
    JSON.stringify(primes.map((prime) => `0x${prime.toString(16)}`)),
  );
  process.env["KITH_TEST_KEYS"] = file;
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function makePrime(): Promise<bigint> {
  const { promise, resolve, reject } = Promise.withResolvers<bigint>();
  generatePrime(BITS, { bigint: true }, (error, found) => {
    if (error) reject(error);
    else resolve(found);
  });
  const prime = await promise;
  // Otherwise the exponent has no inverse.
  return (prime - 1n) % EXPONENT === 0n ? makePrime() : prime;
}
