import pLimit from "p-limit";
import { makeKeyPairs, type KeyPairs } from "../keys/key-pairs.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

/** The slow operations needed to create an account. */
export type Credentials = {
  readonly makeKeyPairs: () => Promise<KeyPairs>;
  readonly passwords: Passwords;
};

/**
 * The thread pool has four threads. The others stay free for what takes no time, above all for the
 * flush of a commit, however many people sign in at once. A hash takes 20 MB, too.
 */
const MAX_AT_ONCE = 2;

export function createCredentials(): Credentials {
  const limit = pLimit(MAX_AT_ONCE);
  const { hash, verify, isBorrowed } = createPasswords();
  return {
    makeKeyPairs: () => limit(makeKeyPairs),
    passwords: {
      isBorrowed,
      hash: (password) => limit(hash, password),
      verify: (phc, password) => limit(verify, phc, password),
    },
  };
}
