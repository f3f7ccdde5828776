import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomInt,
  type KeyObject,
} from "node:crypto";
import { readFileSync } from "node:fs";

/** An RSA-2048 pair. */
export type RsaPair = {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** SPKI. */
  readonly publicKeyPem: string;
};

const EXPONENT = 65_537n;
const PRIME_BYTES = 128;

const primes = readPrimes();
const pairCount = (primes.length * (primes.length - 1)) / 2;
const first = pairCount > 0 ? randomInt(pairCount) : 0;
let taken = 0;
/** How many were taken before the first test, by files that share this process. */
let takenAtLoad = 0;
let currentFile: string | undefined;

/** Those that the test run has made, if it has; see `scripts/testing/test-keys.ts`. */
function readPrimes(): readonly bigint[] {
  const file = process.env["KITH_TEST_KEYS"];
  if (file === undefined) return [];
  return (JSON.parse(readFileSync(file, "utf8")) as string[]).map(BigInt);
}

/** An RSA-2048 pair that nobody else in the tests of this file has. */
export function takeRsaPair(): RsaPair {
  startAgainForEachFile();
  const privateKey =
    taken < pairCount
      ? combine((first + taken) % pairCount)
      : generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  taken += 1;
  const publicKey = createPublicKey(privateKey);
  const publicKeyPem = String(
    publicKey.export({ format: "pem", type: "spki" }),
  );
  return { publicKey, privateKey, publicKeyPem };
}

/** `scripts/testing/test-group.ts` names the file whose tests are running. */
function startAgainForEachFile(): void {
  const file = process.env["KITH_TEST_FILE"];
  if (file === currentFile) return;
  if (currentFile === undefined) takenAtLoad = taken;
  currentFile = file;
  taken = takenAtLoad;
}

/** Makes the private key of this number from two of the primes (RFC 8017, 3.2). */
function combine(number: number): KeyObject {
  let [row, rest] = [1, number];
  while (rest >= row) {
    rest -= row;
    row += 1;
  }
  const [p = 0n, q = 0n] = [primes[row], primes[rest]];
  const d = invert(EXPONENT, (p - 1n) * (q - 1n));
  return createPrivateKey({
    format: "jwk",
    key: {
      kty: "RSA",
      n: encode(p * q, 2 * PRIME_BYTES),
      e: encode(EXPONENT, 3),
      d: encode(d, 2 * PRIME_BYTES),
      p: encode(p, PRIME_BYTES),
      q: encode(q, PRIME_BYTES),
      dp: encode(d % (p - 1n), PRIME_BYTES),
      dq: encode(d % (q - 1n), PRIME_BYTES),
      qi: encode(invert(q, p), PRIME_BYTES),
    },
  });
}

/** The inverse of `value` modulo `modulus`, by the extended algorithm of Euclid. */
function invert(value: bigint, modulus: bigint): bigint {
  let [r0, r1] = [modulus, value % modulus];
  let [t0, t1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return ((t0 % modulus) + modulus) % modulus;
}

function encode(value: bigint, bytes: number): string {
  const hex = value.toString(16).padStart(2 * bytes, "0");
  return Buffer.from(hex, "hex").toString("base64url");
}
