import { KithError } from "../errors.ts";

/** Runs a bounded number of fetches at once, in total and for each host. */
export type FetchQueue = {
  /**
   * Waits for a slot, then fetches. A waiting fetch is overtaken only by those
   * of hosts that have a slot left.
   * @throws {KithError} `unavailable` if too many are waiting
   */
  run<T>(host: string, fetch: () => Promise<T>): Promise<T>;
};

type FetchQueueLimits = {
  readonly maxRunning: number;
  readonly maxRunningPerHost: number;
  readonly maxWaiting: number;
  /** So that one slow host does not refuse the readers of all others. */
  readonly maxWaitingPerHost: number;
};

type Waiting = { readonly host: string; readonly start: () => void };

const RETRY_AFTER_S = 10;

export function createFetchQueue(limits: FetchQueueLimits): FetchQueue {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  const runningOf = (host: string): number => running.get(host) ?? 0;
  const mayRun = (host: string): boolean =>
    total < limits.maxRunning && runningOf(host) < limits.maxRunningPerHost;
  const mayWait = (host: string): boolean =>
    waiting.length < limits.maxWaiting &&
    waiting.filter((one) => one.host === host).length <
      limits.maxWaitingPerHost;

  function begin(host: string): void {
    total += 1;
    running.set(host, runningOf(host) + 1);
  }

  function end(host: string): void {
    total -= 1;
    const left = runningOf(host) - 1;
    if (left === 0) running.delete(host);
    else running.set(host, left);
    const at = waiting.findIndex((one) => mayRun(one.host));
    if (at === -1) return;
    const [next] = waiting.splice(at, 1);
    if (!next) return;
    // The slot is taken now: another caller may come before it starts.
    begin(next.host);
    next.start();
  }

  async function waitForSlot(host: string): Promise<void> {
    if (mayRun(host)) return begin(host);
    if (!mayWait(host))
      throw new KithError("unavailable", "Too many files are being fetched.", {
        retryAfterS: RETRY_AFTER_S,
      });
    await new Promise<void>((start) => waiting.push({ host, start }));
  }

  return {
    run: async (host, fetch) => {
      await waitForSlot(host);
      try {
        return await fetch();
      } finally {
        end(host);
      }
    },
  };
}
