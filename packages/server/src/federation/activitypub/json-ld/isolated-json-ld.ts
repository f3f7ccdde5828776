import { ActivityPubError, type JsonLd } from "@kith/activitypub";
import { Worker } from "node:worker_threads";
import { IsolatedTasks } from "../../../lib/isolation/isolated-tasks.ts";
import { threadIsolate } from "../../../lib/isolation/thread-isolate.ts";
import type { JsonLdRequest, JsonLdResponse } from "./json-ld-request.ts";

/**
 * JSON-LD in a separate thread with limits: a document that takes too long or
 * too much memory costs that thread, and the server goes on.
 * @throws {KithError} `unavailable` if a document exceeds the limits, or too
 *   many wait
 */
export type IsolatedJsonLd = JsonLd & {
  readonly isRunning: () => boolean;
  readonly close: () => void;
};

export type IsolatedJsonLdOptions = {
  readonly deadlineMs?: number;
  readonly idleMs?: number;
  readonly maxWaiting?: number;
};

const THREAD = new URL("./json-ld-thread.ts", import.meta.url);
/** The worst documents within the bounds take some 40 ms. */
const DEADLINE_MS = 1_000;
const IDLE_MS = 30_000;
/** Documents have at most 256 KiB each. */
const MAX_WAITING = 64;
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 128,
  maxYoungGenerationSizeMb: 16,
  stackSizeMb: 2,
};

export function createIsolatedJsonLd({
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  maxWaiting = MAX_WAITING,
}: IsolatedJsonLdOptions = {}): IsolatedJsonLd {
  const tasks = new IsolatedTasks<JsonLdRequest, JsonLdResponse>({
    start: (events) => {
      const thread = new Worker(THREAD, {
        // The server's environment contains secrets, so nothing of it is
        // inherited.
        env: {},
        resourceLimits: RESOURCE_LIMITS,
      });
      thread.on("message", (response: JsonLdResponse) => {
        if (response.kind === "ready") events.ready();
        else events.respond(response);
      });
      return threadIsolate(thread, events, "The JSON-LD thread ended");
    },
    ...{ deadlineMs, idleMs, maxWaiting },
    tooLong: "A document took too long as JSON-LD",
    tooMany: "Too many documents wait to be read as JSON-LD",
  });
  return {
    compact: async (document, context) => {
      const request = { kind: "compact", document, context } as const;
      const response = await tasks.run(request);
      if (response.kind === "compacted") return response.document;
      throw unsupported(response);
    },
    canonize: async (document) => {
      const response = await tasks.run({ kind: "canonize", document });
      if (response.kind === "canonized") return response.quads;
      throw unsupported(response);
    },
    isRunning: () => tasks.isRunning,
    close: () => tasks.close(),
  };
}

function unsupported(response: JsonLdResponse): ActivityPubError {
  const reason =
    response.kind === "unsupported"
      ? response.reason
      : `The JSON-LD thread answered ${response.kind}`;
  return new ActivityPubError("unsupported", reason);
}
