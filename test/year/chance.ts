/** Numbers that look random, and are the same for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0, below this one. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const once = this.#state ^ (this.#state >>> 15);
    let mixed = Math.imul(once, 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** Once in so many cases. */
  once(inSo: number): boolean {
    return this.below(inSo) === 0;
  }

  pick<T>(all: readonly T[]): T | undefined {
    return all[this.below(Math.max(all.length, 1))];
  }
}
