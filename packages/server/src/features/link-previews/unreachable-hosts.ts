import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { Clock } from "../../lib/time/clock.ts";

const MAX_HOSTS = 10_000;
const FAILURES = 3;
const LEFT_ALONE_MS = 60_000;

/**
 * Hosts that could not be reached three times in a row. For a minute after the last failure their pages count
 * as failed without a request: thousands of posts may link the pages of a host that is down.
 */
export class UnreachableHosts {
  readonly #failures;

  constructor(clock: Clock) {
    this.#failures = createLruCache<string, number>({
      ...{ max: MAX_HOSTS, keepMs: LEFT_ALONE_MS, clock },
    });
  }

  /** @param host with its port, as in `URL.host` */
  has(host: string): boolean {
    return (this.#failures.get(host) ?? 0) >= FAILURES;
  }

  noteFailure(host: string): void {
    this.#failures.set(host, (this.#failures.get(host) ?? 0) + 1);
  }

  noteAnswer(host: string): void {
    this.#failures.delete(host);
  }
}
