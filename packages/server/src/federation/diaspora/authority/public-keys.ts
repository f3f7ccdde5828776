import type { KeyObject } from "node:crypto";
import { DiasporaError, readPublicKey } from "@kith/diaspora";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import type { Person } from "../../../features/people/index.ts";

/** Parsed public keys of people. */
export type PublicKeys = {
  /** @returns undefined if the person has no valid diaspora* key */
  keyOf(person: Person): KeyObject | undefined;
};

const MAX_KEPT = 5000;

/**
 * Parsing a PEM costs more than verifying a signature, so parsed keys are
 * cached.
 */
export function createPublicKeys(): PublicKeys {
  const keys = createLruCache<string, KeyObject>({ max: MAX_KEPT });
  return {
    keyOf: ({ hasDiasporaKey, publicKeyPem }) => {
      if (!hasDiasporaKey) return undefined;
      const kept = keys.get(publicKeyPem);
      if (kept) return kept;
      const key = read(publicKeyPem);
      if (!key) return undefined;
      keys.set(publicKeyPem, key);
      return key;
    },
  };
}

function read(pem: string): KeyObject | undefined {
  try {
    return readPublicKey(pem);
  } catch (error) {
    if (error instanceof DiasporaError) return undefined;
    throw error;
  }
}
