import type { Db } from "../../db/db.ts";
import type { ChangeCollector } from "./collect-changes.ts";
import {
  OpenStreams,
  type ChangeStream,
  type StreamLimits,
} from "./open-streams.ts";
import type { ReadChangeDeps } from "./read-change.ts";

export { createChangeCollector } from "./collect-changes.ts";
export type { LiveEvent } from "./change.ts";
export type { ChangeStream } from "./open-streams.ts";

export type ChangesDeps = Omit<ReadChangeDeps, "db"> & {
  readonly db: Db;
  readonly collector: ChangeCollector;
  readonly limits?: Partial<StreamLimits>;
};

/** Live changes: what concerns a viewer, told as soon as it is committed. */
export type Changes = ReturnType<typeof createChanges>;

export function createChanges({ collector, limits, ...deps }: ChangesDeps) {
  const streams = new OpenStreams(deps, limits);
  collector.listen((changes) => streams.publish(changes));
  return {
    /**
     * Opens a stream of events for a user, from now on or from a cursor.
     * @returns a function that closes it
     * @throws {KithError} `too_many_requests`, `unavailable`
     */
    open: (stream: ChangeStream, since?: string) => streams.open(stream, since),
    countOpen: () => streams.count,
    /** Ends all streams, and refuses new ones. */
    close: () => streams.close(),
    noteNotification: collector.noteNotification,
  };
}
