import type { Db } from "../../db/db.ts";
import type { ChangeCollector } from "./collect-changes.ts";
import {
  OpenStreams,
  type ChangeStream,
  type StreamLimits,
} from "./open-streams.ts";
import type { PublicChangeDeps } from "./public-change.ts";
import { PublicFeed, type PublicReader } from "./public-feed.ts";
import type { ReadChangeDeps } from "./read-change.ts";

export { createChangeCollector } from "./collect-changes.ts";
export type { LiveEvent } from "./change.ts";
export type { ChangeStream } from "./open-streams.ts";
export type { PublicEvent } from "./public-change.ts";
export type { PublicReader } from "./public-feed.ts";

export type ChangesDeps = Omit<ReadChangeDeps, "db" | "posts"> &
  Omit<PublicChangeDeps, "posts"> & {
    readonly db: Db;
    readonly posts: ReadChangeDeps["posts"] & PublicChangeDeps["posts"];
    readonly collector: ChangeCollector;
    readonly limits?: Partial<StreamLimits>;
  };

/** Live changes: changes that concern a viewer, sent as soon as they are committed. */
export type Changes = ReturnType<typeof createChanges>;

export function createChanges({ collector, limits, ...deps }: ChangesDeps) {
  const streams = new OpenStreams(deps, limits);
  const publicFeed = new PublicFeed(deps);
  collector.listen((changes) => {
    streams.publish(changes);
    publicFeed.publish(changes ?? []);
  });
  return {
    /**
     * Opens a stream of events for a user, from now on or from a cursor.
     * @returns a function that closes it
     * @throws {KithError} `too_many_requests`, `unavailable`
     */
    open: (stream: ChangeStream, since?: string) => streams.open(stream, since),
    /**
     * Tells a connection of listed public posts, beside its stream, which says whether its user
     * is still signed in.
     * @returns a function that ends it
     */
    readPublic: (reader: PublicReader) => publicFeed.open(reader),
    countOpen: () => streams.count,
    /** Ends all streams, and refuses new ones. */
    close: () => streams.close(),
    noteNotification: collector.noteNotification,
    /** Tells open streams that a post shows something else, once it is committed. */
    notePost: collector.notePost,
  };
}
