import cluster, { type Worker } from "node:cluster";
import type { FirstSteps } from "../process.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { Readiness } from "../../http/readiness.ts";

/** What a process of several tells the one that started it. */
export type FromChild =
  | { readonly kind: "started"; readonly firstSteps?: FirstSteps }
  | { readonly kind: "answer"; readonly id: number; readonly text: string };

/** A question to a process: its metrics, or why it is not ready (nothing if it is). */
export type Question = "metrics" | "readiness";

export type ToChild = {
  readonly kind: "ask";
  readonly id: number;
  readonly question: Question;
};

/** Is this one of several processes that another one started? */
export const isChild = (): boolean => cluster.isWorker;

/** Tells the process that started this one that it is at work. */
export function noteStarted(firstSteps?: FirstSteps): void {
  send({ kind: "started", ...(firstSteps && { firstSteps }) });
}

/**
 * Answers the questions of the process that started this one, which serves
 * metrics and health for all.
 * @returns a function that ends it
 */
export function answerQuestions({
  metrics,
  readiness,
}: {
  readonly metrics: Pick<Metrics, "render">;
  readonly readiness: Readiness;
}): () => Promise<void> {
  const answer = async ({ id, question }: ToChild): Promise<void> => {
    const text =
      question === "metrics"
        ? await metrics.render()
        : ((await readiness()) ?? "");
    send({ kind: "answer", id, text });
  };
  const listener = (message: ToChild): void => void answer(message);
  process.on("message", listener);
  return async () => void process.off("message", listener);
}

/** The other process may have ended; this one ends with its channel then. */
function send(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

const ANSWER_WITHIN_MS = 2_500;

/** Asks other processes, each within a few seconds. */
export function createAsking() {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let lastId = 0;
  return {
    /** Takes the answers of a new process. */
    watch: (worker: Worker): void =>
      void worker.on("message", (message: FromChild) => {
        if (message.kind !== "answer") return;
        waiting.get(message.id)?.(message.text);
      }),
    /** @returns undefined if the process does not answer in time */
    ask: (worker: Worker, question: Question): Promise<string | undefined> =>
      new Promise((resolve) => {
        const id = (lastId += 1);
        const end = (text: string | undefined): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(text);
        };
        const timer = setTimeout(end, ANSWER_WITHIN_MS, undefined);
        waiting.set(id, end);
        const asked: ToChild = { kind: "ask", id, question };
        worker.send(asked, (error) => error && end(undefined));
      }),
  };
}
