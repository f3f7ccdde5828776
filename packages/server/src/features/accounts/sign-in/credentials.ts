import { makeKeyPairs, type KeyPairs } from "../keys/key-pairs.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

/** What an account is made with, and what takes its time. */
export type Credentials = {
  readonly makeKeyPairs: () => Promise<KeyPairs>;
  readonly passwords: Passwords;
};

export function createCredentials(): Credentials {
  return { makeKeyPairs, passwords: createPasswords() };
}
