import type { Worker } from "node:worker_threads";
import { KithError, messageOf } from "../errors.ts";
import type { Isolate, IsolateEvents } from "./isolated-tasks.ts";

/**
 * Makes a thread an isolate for tasks.
 * @param ended the error message if it ends by itself
 */
export function threadIsolate<Request>(
  thread: Worker,
  { end }: Pick<IsolateEvents<unknown>, "end">,
  ended: string,
): Isolate<Request> {
  const fail = (reason: string) => end(new KithError("unavailable", reason));
  thread.on("error", (error) => fail(messageOf(error)));
  thread.on("exit", () => fail(ended));
  return {
    send: (request) => thread.postMessage(request),
    hold: (isHeld) => thread[isHeld ? "ref" : "unref"](),
    kill: () => void thread.terminate(),
  };
}
