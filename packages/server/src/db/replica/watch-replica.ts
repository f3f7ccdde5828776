import type { Client } from "pg";
import { withTimeout } from "../../lib/time/timeout.ts";
import {
  PRIMARY_POSITION,
  REPLAYED_POSITION,
  type Position,
} from "./replica-identity.ts";
import { ReplicaProgress } from "./replica-progress.ts";

const POLL_MS = 250;
/** While requests wait for the replica. */
const POLL_FAST_MS = 20;
/** So long a request waits for the replica to have what was changed just before. */
const WAIT_MS = 100;
/** So long no request waits after one that did so in vain. */
const NO_WAIT_MS = 1_000;
const RECONNECT_MS = 1_000;
const CLOSE_WITHIN_MS = 1_000;
/** Without an answer in this time, the replica counts as lost. */
export const PROBE_TIMEOUT_MS = 2_000;

export type WatchDeps = {
  readonly askPrimary: (sql: string) => Promise<Position | undefined>;
  /** Opens a connection to the replica; `onBroken` is called when it breaks. */
  readonly openProbe: (onBroken: () => void) => Promise<Client>;
  /** The replica no longer answers: what was asked of it is given up. */
  readonly onLost: () => void;
};

const OTHER =
  "The server of KITH_DATABASE_REPLICA_URL is no standby of the one of KITH_DATABASE_URL, so nothing is read from it.";

/** Knows whether the replica may answer, by asking both servers for their positions. */
export class ReplicaWatch {
  readonly #deps: WatchDeps;
  readonly #progress = new ReplicaProgress();
  #probe: Client | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #wasWarned = false;
  #polledAtMs = -Infinity;
  #waitedInVainAtMs = -Infinity;
  #resume: ((afterMs: number) => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** May a query go to the replica? */
  isUsable(): boolean {
    return (
      this.#probe !== undefined && this.#progress.isYoung(performance.now())
    );
  }

  /**
   * May an answer be begun with the replica? Waits a moment where it lacks a change that must
   * not be missing. The first call starts the watch.
   */
  isReady(): boolean | Promise<boolean> {
    if (!this.#running && !this.#isClosed) this.#running = this.#run();
    if (!this.isUsable()) return false;
    const neededAtMs = this.#progress.neededAtMs;
    if (this.#progress.hasAllOf(neededAtMs)) return true;
    const isSlow = performance.now() - this.#waitedInVainAtMs < NO_WAIT_MS;
    return isSlow ? false : this.#waitFor(neededAtMs);
  }

  /** Something was changed or removed that must not be shown any more. */
  require(): void {
    this.#progress.require(performance.now());
  }

  ageMs(): number | undefined {
    return this.#progress.ageMs(performance.now());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#lose();
    this.#resume?.(0);
    // It may be connecting to a server that does not answer.
    await withTimeout(this.#running ?? Promise.resolve(), CLOSE_WITHIN_MS);
  }

  async #waitFor(neededAtMs: number): Promise<boolean> {
    const untilMs = performance.now() + WAIT_MS;
    for (;;) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0 || !this.isUsable()) {
        this.#waitedInVainAtMs = performance.now();
        return false;
      }
      this.#resume?.(POLL_FAST_MS);
      await this.#nextPoll(leftMs);
      if (this.#progress.hasAllOf(neededAtMs)) return this.isUsable();
    }
  }

  #nextPoll(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(end);
    });
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#polledAtMs = performance.now();
      await this.#poll();
      const isAwaited = this.#waiting.size > 0;
      for (const end of [...this.#waiting]) end();
      if (this.#isClosed) break;
      if (!this.#probe) await this.#pause(RECONNECT_MS);
      else await this.#pause(isAwaited ? POLL_FAST_MS : POLL_MS);
    }
    this.#lose();
  }

  /** @param ms since the last poll began; `#resume` shortens it */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      this.#resume = (afterMs) => {
        clearTimeout(timer);
        const leftMs = this.#polledAtMs + afterMs - performance.now();
        timer = setTimeout(
          () => {
            this.#resume = undefined;
            resolve();
          },
          Math.max(0, leftMs),
        );
        // A process that has nothing else to do may end.
        timer.unref();
      };
      this.#resume(ms);
    });
  }

  async #poll(): Promise<void> {
    try {
      const probe = (this.#probe ??= await this.#connect());
      const atMs = performance.now();
      const primary = await this.#askPrimary();
      // Its own loss is noticed by all who read it.
      if (primary?.position == null) return;
      this.#progress.notePrimary(atMs, BigInt(primary.position));
      const { rows } = await probe.query<Position>(REPLAYED_POSITION);
      const [replica] = rows;
      const isOther = replica?.identity !== primary.identity;
      if (isOther) this.#warn();
      if (isOther || replica.position === null) return this.#lose();
      if (this.#probe === probe)
        this.#progress.noteReplayed(BigInt(replica.position));
    } catch {
      this.#lose();
    }
  }

  #askPrimary(): Promise<Position | undefined> {
    const asked = this.#deps
      .askPrimary(PRIMARY_POSITION)
      .catch(() => undefined);
    return withTimeout(asked, PROBE_TIMEOUT_MS);
  }

  async #connect(): Promise<Client> {
    const probe: Client = await this.#deps.openProbe(() => {
      if (this.#probe === probe) this.#lose();
    });
    return probe;
  }

  #lose(): void {
    const probe = this.#probe;
    this.#probe = undefined;
    this.#progress.forget();
    // It may be broken already.
    void probe?.end().catch(() => {});
    this.#deps.onLost();
  }

  #warn(): void {
    if (!this.#wasWarned) process.emitWarning(OTHER);
    this.#wasWarned = true;
  }
}
