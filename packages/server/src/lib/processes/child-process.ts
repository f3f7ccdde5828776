import cluster, { type Worker } from "node:cluster";

/** A message of a process to the one that started it. */
export type FromChild =
  | { readonly kind: "started"; readonly state: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly text: string };

/** A question to a process, by its name, or the order to end once its work is done. */
export type ToChild =
  | { readonly kind: "ask"; readonly id: number; readonly question: string }
  | { readonly kind: "drain" };

/** Is this one of several processes that another one started? */
export const isChild = (): boolean => cluster.isWorker;

/** Notifies the process that started this one that it is at work. @param state JSON */
export function noteStarted(state: unknown): void {
  send({ kind: "started", state });
}

/**
 * Answers the questions of the process that started this one.
 * @param answers by the names of the questions
 * @returns a function that ends it
 */
export function answerQuestions(
  answers: Readonly<Record<string, () => Promise<string>>>,
): () => Promise<void> {
  const answer = async (message: ToChild): Promise<void> => {
    if (message.kind !== "ask") return;
    const text = await answers[message.question]?.();
    if (text !== undefined) send({ kind: "answer", id: message.id, text });
  };
  const listener = (message: ToChild): void => void answer(message);
  process.on("message", listener);
  return async () => void process.off("message", listener);
}

/** @param drain is called when the process that started this one replaces it */
export function drainWhenReplaced(drain: () => void): void {
  process.on("message", (message: ToChild) => {
    if (message.kind === "drain") drain();
  });
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
    ask: (worker: Worker, question: string): Promise<string | undefined> =>
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
