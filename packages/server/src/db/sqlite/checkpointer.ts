import { Worker } from "node:worker_threads";
import { IsolatedTasks } from "../../lib/isolation/isolated-tasks.ts";
import { threadIsolate } from "../../lib/isolation/thread-isolate.ts";

/** Checkpoints large WALs of SQLite in a thread: on a slow disk that takes seconds. */
export type Checkpointer = {
  /** @throws {KithError} `unavailable` if it fails, as on a full disk */
  readonly run: (file: string) => Promise<void>;
  readonly close: () => void;
};

const THREAD = new URL("./checkpoint-thread.cjs", import.meta.url);
/** A busy server needs the thread again within seconds, a quiet one not for hours. */
const IDLE_MS = 10_000;
/** A checkpoint that has begun cannot be interrupted. */
const DEADLINE_MS = 15 * 60_000;

export function createCheckpointer(): Checkpointer {
  const tasks = new IsolatedTasks<string, unknown>({
    start: (events) => {
      const thread = new Worker(THREAD, { env: {}, execArgv: [] });
      thread.on("online", events.ready);
      thread.on("message", events.respond);
      return threadIsolate(thread, events, "The checkpoint thread ended");
    },
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    maxWaiting: 1,
    tooLong: "A checkpoint took too long",
    tooMany: "A checkpoint runs already",
  });
  return {
    run: async (file) => void (await tasks.run(file)),
    close: () => tasks.close(),
  };
}
