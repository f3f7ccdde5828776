import { makeKeyPairs, type KeyPairs } from "../keys/key-pairs.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

/** The slow operations needed to create an account. */
export type Credentials = {
  readonly makeKeyPairs: () => Promise<KeyPairs>;
  readonly passwords: Passwords;
};

export function createCredentials(): Credentials {
  return { makeKeyPairs, passwords: createPasswords() };
}
