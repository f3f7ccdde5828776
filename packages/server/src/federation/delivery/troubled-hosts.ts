import type { Db } from "../../db/db.ts";
import { listTroubledHosts } from "./host-store.ts";

/** So long it may take until this process knows what another one learned of a host. */
const KEPT_MS = 2_000;

/**
 * The hosts of which something bad is stored, in memory: most are well, and asking
 * the database at each success would cost as much as to send.
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
    if (performance.now() - this.#loadedAtMs > KEPT_MS)
      await (this.#loading ??= this.#load());
    return this.#hosts.has(host);
  }

  /** What this process stores, it knows at once. */
  add(host: string): void {
    this.#hosts.add(host);
  }

  async #load(): Promise<void> {
    const known = this.#hosts;
    // What is added from here on may not be committed yet.
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
