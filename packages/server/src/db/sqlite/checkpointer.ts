import { Worker } from "node:worker_threads";
import { KithError, messageOf } from "../../lib/errors.ts";
import { IsolatedTasks } from "../../lib/isolation/isolated-tasks.ts";

/** Checkpoints large WALs of SQLite in a thread: on a slow disk that takes seconds. */
export type Checkpointer = {
  /** @throws {KithError} `unavailable` if it fails, as on a full disk */
  readonly run: (file: string) => Promise<void>;
  readonly close: () => void;
};

const THREAD = new URL("./checkpoint-thread.cjs", import.meta.url);
/** Somebody who writes much needs it again within seconds, and others not for hours. */
const IDLE_MS = 10_000;
/** A checkpoint that has begun cannot be interrupted. */
const DEADLINE_MS = 15 * 60_000;

export function createCheckpointer(): Checkpointer {
  const tasks = new IsolatedTasks<string, unknown>({
    start: ({ ready, respond, end }) => {
      const thread = new Worker(THREAD, { env: {}, execArgv: [] });
      const fail = (reason: string) =>
        end(new KithError("unavailable", reason));
      thread.on("online", ready);
      thread.on("message", respond);
      thread.on("error", (error) => fail(messageOf(error)));
      thread.on("exit", () => fail("The thread of checkpoints ended"));
      return {
        send: (file) => thread.postMessage(file),
        hold: (isHeld) => thread[isHeld ? "ref" : "unref"](),
        kill: () => void thread.terminate(),
      };
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
