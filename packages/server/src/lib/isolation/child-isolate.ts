import type { ChildProcess } from "node:child_process";
import { KithError, messageOf } from "../errors.ts";
import type { Isolate, IsolateEvents } from "./isolated-tasks.ts";

/** The exit code of a child for a task that took too much memory. */
const OUT_OF_MEMORY = 77;

/**
 * Makes a child process an isolate for tasks.
 * @param tooMuchMemory the error message for a task that takes too much
 */
export function childIsolate<Request extends object, Response>(
  child: ChildProcess,
  events: IsolateEvents<Response>,
  tooMuchMemory: string,
): Isolate<Request> {
  child.on("spawn", events.ready);
  child.on("message", events.respond);
  child.on("error", (error) => events.end(unavailable(messageOf(error))));
  child.on("exit", (code) =>
    events.end(
      code === OUT_OF_MEMORY
        ? new KithError("too_large", tooMuchMemory)
        : unavailable("The process died of it."),
    ),
  );
  return {
    send: (request) =>
      void child.send(request, (error) => {
        if (error) events.end(unavailable(messageOf(error)));
      }),
    hold: (isHeld) => {
      const act = isHeld ? "ref" : "unref";
      child[act]();
      child.channel?.[act]();
    },
    kill: () => {
      child.kill("SIGKILL");
      child.unref();
      if (child.connected) child.disconnect();
    },
  };
}

function unavailable(reason: string): KithError {
  return new KithError("unavailable", reason);
}
