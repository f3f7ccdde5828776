import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { CalendarEvent, Events } from "../events/index.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { EventId, PersonId, UserId } from "../ids.ts";
import { checkLeads } from "./leads.ts";
import { isReminded, leadsFor } from "./leads-for.ts";
import {
  deleteChosen,
  deleteSomeOf,
  findReminded,
  saveChosen,
} from "./reminder-store.ts";

export { MAX_LEAD_MINUTES } from "./leads.ts";
export { createRemind, REMIND } from "./remind.ts";

export type RemindersDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: Pick<Events, "findVisible" | "renewReminders">;
};

type Reader = { readonly userId: UserId; readonly personId: PersonId };

/** When a user is reminded of an event. */
export type EventReminders = {
  /** Minutes before it begins, or before its day; none for no reminder. */
  readonly minutes: readonly number[];
  /** Chosen for this event; else they come from its alarms or the settings. */
  readonly isChosen: boolean;
  /** Is it the user's own, is the user coming, or did the user choose a reminder? */
  readonly isConcerned: boolean;
};

/** Reminders of events. */
export type Reminders = ReturnType<typeof createReminders>;

export function createReminders({ db, clock, events }: RemindersDeps) {
  return {
    /** Of an event that the caller has found visible. */
    get: async (
      { userId }: Reader,
      event: CalendarEvent,
    ): Promise<EventReminders> => {
      const reminded = await findReminded(db.read, {
        ...{ userId, eventId: event.id },
      });
      if (!reminded)
        return { minutes: [], isChosen: false, isConcerned: false };
      return {
        minutes: await leadsFor(db.read, event, reminded),
        isChosen: reminded.chosen !== undefined,
        isConcerned: isReminded(event, reminded),
      };
    },
    /**
     * @param minutes before it begins; none for no reminder; null for those of the settings
     * @throws {KithError} `not_found` for an event that the user may not see; `bad_request`
     */
    choose: (
      user: Reader,
      eventId: EventId,
      minutes: readonly number[] | null,
    ): Promise<void> => {
      const leads = minutes === null ? null : checkLeads(minutes);
      const key = { eventId, userId: user.userId };
      const writing = db.transaction(async (tx) => {
        if (!(await events.findVisible({ id: eventId }, user, tx)))
          throw new KithError("not_found", "No such event.");
        await (leads === null
          ? deleteChosen(tx, key)
          : saveChosen(tx, key, leads, timestamp(clock.now())));
        const { personId } = user;
        await events.renewReminders(tx, { eventId, personId });
      });
      return notFoundIfGone(writing);
    },
    /** Deletes those of a deleted account. @returns true if more are left */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction((tx) => deleteSomeOf(tx, userId, limit)),
  };
}
