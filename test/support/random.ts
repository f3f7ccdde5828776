/** Reproducible random numbers: the same seed gives the same sequence (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  isLikely(probability: number): boolean {
    return this.next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** @throws for an empty list */
  pick<T>(from: readonly T[]): T {
    const picked = this.pickAny(from);
    if (picked === undefined) throw new Error("There is nothing to pick from");
    return picked;
  }

  /** undefined for an empty list. */
  pickAny<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }
}
