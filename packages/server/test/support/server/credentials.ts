import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomInt,
  type KeyObject,
} from "node:crypto";
import { readFileSync } from "node:fs";
import {
  createPasswords,
  type Credentials,
} from "../../../src/features/accounts/index.ts";

type StoredPair = { readonly publicPem: string; readonly privatePem: string };

const stored = readStored();
const first = stored.length > 0 ? randomInt(stored.length) : 0;
let taken = 0;
/** How many were taken before the first test, by files that share this process. */
let takenAtLoad = 0;
let currentFile: string | undefined;

/** Those that the test run has made, if it has; see `scripts/testing/test-keys.ts`. */
function readStored(): readonly StoredPair[] {
  const file = process.env["KITH_TEST_KEYS"];
  if (file === undefined) return [];
  return JSON.parse(readFileSync(file, "utf8")) as StoredPair[];
}

/** An RSA-2048 pair that nobody else in the tests of this file has. */
export function takeRsaPair(): {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** SPKI. */
  readonly publicKeyPem: string;
} {
  const { publicPem, privatePem } = takePems();
  return {
    publicKey: createPublicKey(publicPem),
    privateKey: createPrivateKey(privatePem),
    publicKeyPem: publicPem,
  };
}

function takePems(): StoredPair {
  startAgainForEachFile();
  const pair = stored[(first + taken) % stored.length];
  if (!pair || taken >= stored.length) return makePems();
  taken += 1;
  return pair;
}

/** `scripts/testing/test-group.ts` names the file whose tests are running. */
function startAgainForEachFile(): void {
  const file = process.env["KITH_TEST_FILE"];
  if (file === currentFile) return;
  if (currentFile === undefined) takenAtLoad = taken;
  currentFile = file;
  taken = takenAtLoad;
}

function makePems(): StoredPair {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
  });
  return {
    publicPem: String(publicKey.export({ format: "pem", type: "spki" })),
    privatePem: String(privateKey.export({ format: "pem", type: "pkcs8" })),
  };
}

/** As the real ones, but quick: hundreds of people sign up and in. */
export const testCredentials: Credentials = {
  passwords: createPasswords({ memoryKib: 8, passes: 1 }),
  makeKeyPairs: async () => {
    const { publicPem, privatePem } = takePems();
    const { privateKey } = generateKeyPairSync("ed25519");
    return {
      rsaPublicPem: publicPem,
      rsaPrivatePem: privatePem,
      ed25519PrivatePem: String(
        privateKey.export({ type: "pkcs8", format: "pem" }),
      ),
    };
  },
};
