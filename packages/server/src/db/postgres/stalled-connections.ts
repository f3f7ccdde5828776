import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import {
  GRACE_MS,
  openInquiry,
  type Inquiry,
  type ServerProcess,
} from "./ask-for-answered.ts";
import { WatchedConnection, type ConnectionUse } from "./watched-connection.ts";
import { withoutPassword } from "./without-password.ts";

const LOOK_EVERY_MS = 1_000;
const WARN_EVERY_MS = 60_000;

/** By the addresses of the servers; each is there while it has connections. */
const watches = new Map<string, StallWatch>();

/**
 * Watches an open connection until it ends, and breaks it if it stalls: nothing comes on it for
 * some seconds, though the server does not work on an answer, and says so on a new connection.
 * A load balancer that is stuck leaves connections like that, and so does a host that has lost
 * its power, which another one has replaced. A query that takes long is never cut off.
 */
export function breakWhenStalled(
  client: Client,
  url: string,
  use: ConnectionUse = {},
): void {
  let watch = watches.get(url);
  if (!watch) {
    watch = new StallWatch(url, () => watches.delete(url));
    watches.set(url, watch);
  }
  watch.add(client, use);
}

class StallWatch {
  readonly #url: string;
  readonly #connections = new Set<WatchedConnection>();
  readonly #timer: NodeJS.Timeout;
  readonly #onEmpty: () => void;
  #isInquiring = false;
  #warnedAtMs = -Infinity;

  constructor(url: string, onEmpty: () => void) {
    this.#url = url;
    this.#onEmpty = onEmpty;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  add(client: Client, use: ConnectionUse): void {
    const connection = new WatchedConnection(client, use);
    this.#connections.add(connection);
    client.once("end", () => {
      this.#connections.delete(connection);
      if (this.#connections.size > 0) return;
      clearInterval(this.#timer);
      this.#onEmpty();
    });
  }

  #look(): void {
    for (const one of this.#connections) one.look();
    if (this.#isInquiring) return;
    const all = [...this.#connections];
    if (!all.some((one) => one.isSilent)) return;
    this.#isInquiring = true;
    // Where one is stalled, others are that were used a moment later.
    const waiting = new Map(
      all.filter((one) => one.isWaiting).map((one) => [one, one.bytesRead]),
    );
    void this.#inquire(waiting).finally(() => (this.#isInquiring = false));
  }

  /** @param waiting with the bytes that were read from each */
  async #inquire(
    waiting: ReadonlyMap<WatchedConnection, number>,
  ): Promise<void> {
    let inquiry: Inquiry | undefined;
    try {
      inquiry = await openInquiry(this.#url);
      const answered = await listAnswered(inquiry, [...waiting.keys()]);
      if (answered.length > 0) await sleep(GRACE_MS, undefined, { ref: false });
      const stalled = await listAnswered(inquiry, answered);
      const broken = this.#breakAll(
        stalled.filter((one) => one.bytesRead === waiting.get(one)),
      );
      if (broken.length > 0) await inquiry.end(broken);
    } catch {
      // The server is away, or does not answer anybody: its connections may be sound.
    } finally {
      inquiry?.close();
      for (const one of waiting.keys()) one.wait();
    }
  }

  /** Breaks these, and those that are probably stalled, too. @returns their server processes */
  #breakAll(stalled: readonly WatchedConnection[]): ServerProcess[] {
    if (stalled.length === 0) return [];
    this.#warn(stalled.length);
    const spare = [...this.#connections].filter((one) => one.isSpare);
    // Each has an error of its own: `pg-pool` adds the connection to that of a spare one.
    for (const one of [...stalled, ...spare]) one.break(stallError());
    return [...stalled, ...spare].map((one) => ({
      id: one.processId,
      ageS: one.ageS,
    }));
  }

  #warn(count: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    process.emitWarning(
      `PostgreSQL at ${withoutPassword(this.#url)} has not answered on ${count} of ${this.#connections.size} connections for seconds, although it does on a new one. They are closed, and the requests that waited for them fail. A pooler, a load balancer or a firewall before it may be stuck.`,
    );
  }
}

const stallError = () =>
  Object.assign(
    new Error("The connection to PostgreSQL has stalled, and was closed"),
    { code: "ETIMEDOUT" },
  );

async function listAnswered(
  inquiry: Inquiry,
  connections: readonly WatchedConnection[],
): Promise<WatchedConnection[]> {
  if (connections.length === 0) return [];
  const ids = connections.map((one) => one.processId);
  const answered = await inquiry.listAnswered(ids);
  return connections.filter((one) => answered.has(one.processId));
}
