import type { Db } from "../../db/db.ts";
import { listTroubledHosts } from "./host-store.ts";

/**
 * How long this process may miss what another one has recorded about a host.
 */
const CACHE_MS = 2_000;

/**
 * The hosts that are not healthy, cached in memory: most are healthy, and a
 * query at each success would cost as much as the delivery.
 */
export class TroubledHosts {
  readonly #db: Db;
  #hosts = new Set<string>();
  #loadedAtMs = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async has(host: string): Promise<boolean> {
    if (performance.now() - this.#loadedAtMs > CACHE_MS)
      await (this.#loading ??= this.#load());
    return this.#hosts.has(host);
  }

  /** Adds a host that this process has just stored. */
  add(host: string): void {
    this.#hosts.add(host);
  }

  async #load(): Promise<void> {
    const known = this.#hosts;
    // Hosts added from here on may not be committed yet.
    const added = (this.#hosts = new Set<string>());
    try {
      for (const host of await listTroubledHosts(this.#db.read))
        added.add(host);
      this.#loadedAtMs = performance.now();
    } catch (error) {
      for (const host of known) added.add(host);
      throw error;
    } finally {
      this.#loading = undefined;
    }
  }
}
