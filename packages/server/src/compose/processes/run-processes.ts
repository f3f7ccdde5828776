import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FirstSteps, Running } from "../process.ts";
import type { Config } from "../../config/config.ts";
import { listenForOperations } from "../../http/operations-listener.ts";
import { mergeMetrics } from "../../observability/merge-metrics.ts";
import {
  createAsking,
  type FromChild,
  type Question,
} from "./child-process.ts";
import { ProcessFailed } from "./process-failed.ts";

type Processes = Running & {
  /** Of a server; a worker has none. */
  readonly firstSteps: FirstSteps | undefined;
  /**
   * Replaces each process by a new one, one after the other, until one cannot
   * be started. Never rejects.
   */
  readonly replaceAll: () => Promise<void>;
};

type RunProcessesInput = {
  readonly config: Pick<Config, "processes" | "metrics">;
  readonly warn: (line: string) => void;
};

/** A process that lived so long did not fail at its start. */
const HEALTHY_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Runs this command in several processes, which share its port, and starts one
 * again when it ends. The first makes the migrations alone.
 * @throws {ProcessFailed}
 * @throws {OperatorError} if the metrics cannot be served
 */
export async function runProcesses({
  config: { processes: count, metrics },
  warn,
}: RunProcessesInput): Promise<Processes> {
  const asking = createAsking();
  const places = new Map<string, Worker>();
  let isStopping = false;

  const starting = new Set<Promise<unknown>>();
  function start(place: string): Promise<FirstSteps | undefined> {
    const begun = startOne(place).finally(() => starting.delete(begun));
    starting.add(begun);
    return begun;
  }

  async function startOne(place: string): Promise<FirstSteps | undefined> {
    const worker = cluster.fork();
    asking.watch(worker);
    const firstSteps = await started(worker);
    places.set(place, worker);
    worker.once("exit", (code, signal) => {
      if (places.get(place) !== worker) return;
      places.delete(place);
      if (!isStopping) void restart(place, signal ?? String(code));
    });
    return firstSteps;
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

  const lastStarts = new Map<string, number>();
  /** A process that ends at once must not be started all the time. */
  function pauseAfter(place: string): number {
    const nowMs = performance.now();
    const lastMs = lastStarts.get(place) ?? -Infinity;
    lastStarts.set(place, nowMs);
    return nowMs - lastMs < HEALTHY_AFTER_MS
      ? FIRST_PAUSE_MS * 4
      : FIRST_PAUSE_MS;
  }

  let replacing: Promise<void> = Promise.resolve();
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
      worker.process.kill("SIGTERM");
      await ended(worker);
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const all = Object.values(cluster.workers ?? {}).flatMap((it) => it ?? []);
    for (const worker of all) worker.process.kill("SIGTERM");
    await Promise.all(all.map(ended));
    await closeOperations();
  }

  const closeOperations = await serveOperations(metrics, {
    isStopping: () => isStopping,
    askAll: (question) =>
      Promise.all(
        [...places].map(async ([place, worker]) => ({
          place,
          text: await asking.ask(worker, question),
        })),
      ),
  });
  try {
    const firstSteps = await start("1");
    await Promise.all(
      Array.from({ length: count - 1 }, (_, index) => start(`${index + 2}`)),
    );
    const replaceAll = () => (replacing = replacing.then(replaceEach));
    return { firstSteps, replaceAll, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Asked = {
  readonly isStopping: () => boolean;
  readonly askAll: (
    question: Question,
  ) => Promise<readonly { place: string; text: string | undefined }[]>;
};

/** Serves the metrics of all processes as one; ready if one of them is. */
async function serveOperations(
  address: Config["metrics"],
  { isStopping, askAll }: Asked,
): Promise<() => Promise<void>> {
  if (!address) return async () => {};
  const render = async () => {
    const answers = await askAll("metrics");
    const texts = answers.map(({ place, text = "" }) => [place, text] as const);
    return mergeMetrics(new Map(texts));
  };
  const readiness = async () => {
    if (isStopping()) return "stopping";
    const answers = await askAll("readiness");
    if (answers.some(({ text }) => text === "")) return undefined;
    return answers[0]?.text ?? "no process answers";
  };
  return listenForOperations({ metrics: { render }, readiness }, address);
}

/** @throws {ProcessFailed} */
function started(worker: Worker): Promise<FirstSteps | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void =>
      reject(new ProcessFailed(code ?? 1));
    worker.once("exit", fail);
    worker.on("message", (message: FromChild) => {
      if (message.kind !== "started") return;
      worker.off("exit", fail);
      resolve(message.firstSteps);
    });
  });
}

async function ended(worker: Worker): Promise<void> {
  if (!worker.isDead()) await once(worker, "exit");
}
