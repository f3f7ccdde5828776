import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import {
  changeChoices,
  type NotificationChoiceChanges,
  type NotificationChoices,
} from "./choices.ts";
import { deleteChoices, findChoices, saveChoices } from "./choice-store.ts";

/** The choices of users of what they are notified of. */
export function createNotificationChoices(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    get: (userId: UserId) => findChoices(db.read, userId),
    /** Changes the given choices and leaves the rest; they hold for what happens from now on. */
    change: (
      userId: UserId,
      changes: NotificationChoiceChanges,
    ): Promise<NotificationChoices> =>
      db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, `notification-choices:${userId}`);
        const choices = changeChoices(await findChoices(tx, userId), changes);
        await saveChoices(tx, userId, choices, timestamp(clock.now()));
        return choices;
      }),
    /** Deletes those of a user who has left. @returns true if more are left */
    removeSomeOf: (userId: UserId) =>
      db.transaction(async (tx) => {
        await deleteChoices(tx, userId);
        return false;
      }),
  };
}
