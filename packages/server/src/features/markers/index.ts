import type { Db } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import type { Notifications } from "../notifications/index.ts";
import {
  deleteMarkersOf,
  listMarkers,
  saveMarker,
  type MarkedList,
} from "./marker-store.ts";

export { MARKED_LISTS, type MarkedList, type Marker } from "./marker-store.ts";

export type MarkersDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifications: Pick<Notifications, "markReadUpTo">;
};

/** How far users have read their lists, so that all their programs go on from there. */
export type Markers = ReturnType<typeof createMarkers>;

export function createMarkers({ db, clock, notifications }: MarkersDeps) {
  return {
    list: (userId: UserId) => listMarkers(db.read, userId),
    /** Notifications up to the marker are read. */
    save: async (
      userId: UserId,
      places: ReadonlyMap<MarkedList, number>,
    ): Promise<void> => {
      await db.transaction(async (tx) => {
        const now = timestamp(clock.now());
        for (const [list, id] of places)
          await saveMarker(tx, userId, list, id, now);
      });
      const read = places.get("notifications");
      if (read !== undefined) await notifications.markReadUpTo(userId, read);
    },
    /** Deletes those of a user who has left. @returns true if more are left */
    removeSomeOf: (userId: UserId) =>
      db.transaction(async (tx) => {
        await deleteMarkersOf(tx, userId);
        return false;
      }),
  };
}
