import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createAsking, type FromChild, type ToChild } from "./child-process.ts";
import { ProcessFailed } from "./process-failed.ts";

/** The answer of a process, by its place; undefined where it did not answer in time. */
export type ChildAnswer = {
  readonly place: string;
  readonly text: string | undefined;
};

/** Several processes of one command. */
export type Processes<State> = {
  /** The state with which the first one started. */
  readonly state: State;
  readonly askAll: (question: string) => Promise<readonly ChildAnswer[]>;
  readonly isStopping: () => boolean;
  /**
   * Replaces each process by a new one, one after the other, until one cannot
   * be started. Each ends when its work is done. Never rejects.
   */
  readonly replaceAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A process that lived so long did not fail at its start. */
const HEALTHY_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Runs this command in several processes, which share its ports, and starts one
 * again when it ends. The first starts alone, so that it can prepare things for all.
 * @throws {ProcessFailed} if the first one does not start
 */
export async function runProcesses<State>(
  count: number,
  warn: (line: string) => void,
): Promise<Processes<State>> {
  const asking = createAsking();
  const places = new Map<string, Worker>();
  const starting = new Set<Promise<unknown>>();
  const lastStarts = new Map<string, number>();
  let isStopping = false;
  let replacing: Promise<void> = Promise.resolve();

  function start(place: string): Promise<unknown> {
    const begun = startOne(place).finally(() => starting.delete(begun));
    starting.add(begun);
    return begun;
  }

  async function startOne(place: string): Promise<unknown> {
    const worker = cluster.fork();
    asking.watch(worker);
    const state = await started(worker);
    places.set(place, worker);
    worker.once("exit", (code, signal) => {
      if (places.get(place) !== worker) return;
      places.delete(place);
      if (!isStopping) void restart(place, signal ?? String(code));
    });
    return state;
  }

  /** One serves already: it goes on, whatever keeps another from starting, such as a database that is away. */
  async function startBeside(place: string): Promise<void> {
    try {
      await start(place);
    } catch {
      if (!isStopping) void restart(place, "before it was ready");
    }
  }

  async function restart(place: string, reason: string): Promise<void> {
    warn(`Process ${place} has ended (${reason}), and is started again.`);
    for (let pauseMs = pauseAfter(place); !isStopping; pauseMs *= 2) {
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS), undefined, { ref: false });
      if (isStopping) return;
      try {
        await start(place);
        return;
      } catch {
        warn(`Process ${place} could not be started, and is tried again.`);
      }
    }
  }

  /** A process that ends at once must not be started all the time. */
  function pauseAfter(place: string): number {
    const nowMs = performance.now();
    const lastMs = lastStarts.get(place) ?? -Infinity;
    lastStarts.set(place, nowMs);
    return nowMs - lastMs < HEALTHY_AFTER_MS
      ? FIRST_PAUSE_MS * 4
      : FIRST_PAUSE_MS;
  }

  async function replaceEach(): Promise<void> {
    // One that is starting now may have begun with older files.
    await Promise.allSettled(starting);
    for (const [place, worker] of [...places]) {
      if (isStopping) return;
      try {
        await start(place);
      } catch {
        warn(`No new process ${place} could be started: the old one stays.`);
        return;
      }
      const order: ToChild = { kind: "drain" };
      worker.send(order, (error) => error && worker.process.kill("SIGTERM"));
      await ended(worker);
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const all = Object.values(cluster.workers ?? {}).flatMap((it) => it ?? []);
    for (const worker of all) worker.process.kill("SIGTERM");
    await Promise.all(all.map(ended));
  }

  try {
    const state = (await start("1")) as State;
    const others = Array.from({ length: count - 1 }, (_, n) => `${n + 2}`);
    await Promise.all(others.map(startBeside));
    return {
      state,
      askAll: (question) =>
        Promise.all(
          [...places].map(async ([place, worker]) => ({
            place,
            text: await asking.ask(worker, question),
          })),
        ),
      isStopping: () => isStopping,
      replaceAll: () => (replacing = replacing.then(replaceEach)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws {ProcessFailed} */
function started(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void =>
      reject(new ProcessFailed(code ?? 1));
    worker.once("exit", fail);
    worker.on("message", (message: FromChild) => {
      if (message.kind !== "started") return;
      worker.off("exit", fail);
      resolve(message.state);
    });
  });
}

async function ended(worker: Worker): Promise<void> {
  if (!worker.isDead()) await once(worker, "exit");
}
