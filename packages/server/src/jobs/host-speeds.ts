import { createLruCache } from "../lib/caching/lru-cache.ts";

const MAX_KNOWN = 20_000;

/** Whether the last job for a host was quick, as far as this process knows. */
export class HostSpeeds {
  readonly #areQuick = createLruCache<string, boolean>({ max: MAX_KNOWN });

  note(host: string, isQuick: boolean): void {
    this.#areQuick.set(host, isQuick);
  }

  isQuick(host: string): boolean {
    return this.#areQuick.get(host) === true;
  }

  isSlow(host: string): boolean {
    return this.#areQuick.get(host) === false;
  }

  listQuick(): string[] {
    return Array.from(this.#areQuick.entries())
      .filter(([, isQuick]) => isQuick)
      .map(([host]) => host);
  }
}
