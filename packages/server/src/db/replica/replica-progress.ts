/** How old an answer of the replica may be. */
export const MAX_AGE_MS = 5_000;
/** Positions of the primary that are remembered while the replica is behind them. */
const MAX_SAMPLES = 200;

type Sample = { readonly atMs: number; readonly position: bigint };

/**
 * How far a replica has followed its primary, by positions in the log of both (LSN). No clocks are
 * compared, and an idle primary makes nothing older: the replica is as current as the moment at
 * which the primary was asked for a position that the replica has replayed by now.
 */
export class ReplicaProgress {
  /** Those that are not replayed yet, oldest first. */
  #samples: Sample[] = [];
  #replayed = -1n;
  #currentAtMs = -Infinity;
  #neededAtMs = -Infinity;

  /** @param atMs when the primary was asked, by a monotonic clock */
  notePrimary(atMs: number, position: bigint): void {
    // A replica is never ahead of its primary: this one follows another history.
    if (position < this.#replayed) {
      this.#samples = [];
      this.#currentAtMs = -Infinity;
      return;
    }
    this.#samples.push({ atMs, position });
    if (this.#samples.length > MAX_SAMPLES)
      this.#samples = this.#samples.filter((_, place) => place % 2 === 0);
  }

  noteReplayed(position: bigint): void {
    this.#replayed = position;
    const next = this.#samples.findIndex((it) => it.position > position);
    const reached = next < 0 ? this.#samples.length : next;
    const last = this.#samples[reached - 1];
    if (!last) return;
    this.#currentAtMs = last.atMs;
    this.#samples.splice(0, reached);
  }

  /** The replica is not reached: nothing is known about it. */
  forget(): void {
    this.#samples = [];
    this.#replayed = -1n;
    this.#currentAtMs = -Infinity;
  }

  /** All answers that are begun from now on must have what is committed by now. */
  require(nowMs: number): void {
    this.#neededAtMs = nowMs;
  }

  get neededAtMs(): number {
    return this.#neededAtMs;
  }

  /** Does the replica have all that was committed until then? */
  hasAllOf(atMs: number): boolean {
    return this.#currentAtMs > atMs;
  }

  isYoung(nowMs: number): boolean {
    return nowMs - this.#currentAtMs <= MAX_AGE_MS;
  }

  /** The age of its answers at most; undefined if nothing is known. */
  ageMs(nowMs: number): number | undefined {
    return Number.isFinite(this.#currentAtMs)
      ? nowMs - this.#currentAtMs
      : undefined;
  }
}
