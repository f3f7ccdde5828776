import {
  createLruCache,
  type LruCache,
} from "../../../lib/caching/lru-cache.ts";
import type { KnownKey } from "./fetch-key.ts";

const MAX_KEYS = 10_000;

/**
 * The keys of the last signers, by owner: a fetched key replaces all keys of its owner, at a cost that does
 * not grow with the number of signers.
 */
export class KeptKeys {
  readonly #owners: LruCache<string, string>;
  readonly #keys: LruCache<string, ReadonlyMap<string, KnownKey>>;

  constructor(max = MAX_KEYS) {
    this.#owners = createLruCache({ max });
    this.#keys = createLruCache({ max, sizeOf: ({ size }) => size });
  }

  get(keyId: string): KnownKey | undefined {
    const owner = this.#owners.get(keyId);
    return owner === undefined ? undefined : this.#keys.get(owner)?.get(keyId);
  }

  set(keyId: string, key: KnownKey): void {
    const owner = String(key.owner.id);
    this.#owners.set(keyId, owner);
    const others = this.#keys.get(owner) ?? [];
    this.#keys.set(owner, new Map([...others, [keyId, key]]));
  }

  /** @param owner the id of a person, as text */
  deleteOf(owner: string): void {
    this.#keys.delete(owner);
  }

  clear(): void {
    this.#keys.clear();
  }
}
