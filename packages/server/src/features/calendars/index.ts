import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { withChanges } from "../../lib/properties.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Facts } from "../facts.ts";
import type { CalendarId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import { createCalendarShares, noteUnshared } from "./shares/shares.ts";
import { createSyncedCalendars } from "./synced-calendars.ts";
import { lookChanges } from "../../lib/icalendar/calendar-look.ts";
import { createCalendarAddresses } from "./calendar-addresses.ts";
import {
  deleteCalendar,
  deleteSomeEmptyCalendarsOf,
  findCalendar,
  findOldestCalendar,
  insertCalendar,
  listCalendars,
  updateCalendar,
  type Calendar,
} from "./calendar-store.ts";

export type { Calendar } from "./calendar-store.ts";
export type { AddressedCalendar } from "./calendar-address-store.ts";
export { hideSecretCalendars } from "./calendar-addresses.ts";
export type { SyncedCalendar } from "./synced-calendar-store.ts";
export { MAX_CALENDARS, type CalendarChanges } from "./synced-calendars.ts";
export type { CalendarShare } from "./shares/calendar-share-store.ts";
export type { SharedCalendar } from "./shares/shared-calendar-queries.ts";
export type { ShareWith } from "./shares/shares.ts";
export type { CalendarAddresses } from "./calendar-addresses.ts";

export type CalendarsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
};

/** A user's own calendars. Their contents belong to the events feature. */
export type Calendars = ReturnType<typeof createCalendars>;

const MAX_NAME_LENGTH = 255;

export function createCalendars(deps: CalendarsDeps) {
  const { db, clock, facts } = deps;
  return {
    ...createCalendarAddresses(deps),
    ...createSyncedCalendars({
      ...{ db, clock, checkName },
      lock: (tx, userId) => lockCalendars(deps, tx, userId),
    }),
    ...createCalendarShares({
      ...{ db, clock, facts },
      lock: (tx, userId) => lockCalendars(deps, tx, userId),
    }),
    list: (userId: UserId, page: Page) => listCalendars(db.read, userId, page),
    /** @throws {KithError} `not_found`, also for another user's */
    get: (userId: UserId, id: CalendarId, reader: Reader = db.read) =>
      getCalendar(reader, userId, id),
    /** @throws {KithError} `empty_string`, `bad_request` */
    create: (
      userId: UserId,
      name: string,
      color?: string,
    ): Promise<Calendar> => {
      const checked = checkName(name);
      const properties = withChanges({}, lookChanges({ color }));
      return db.transaction(async (tx) => {
        await lockCalendars(deps, tx, userId);
        const isDefault = !(await findOldestCalendar(tx, userId));
        const now = timestamp(clock.now());
        const calendar = { userId, name: checked, isDefault, properties };
        return getCalendar(tx, userId, await insertCalendar(tx, calendar, now));
      });
    },
    /** Locks the user's calendars until the end of the transaction. */
    lock: (tx: Tx, userId: UserId) => lockCalendars(deps, tx, userId),
    /** Removes an empty calendar; the caller holds the lock. */
    removeEmpty: (tx: Tx, calendar: Calendar) =>
      removeEmptyCalendar(deps, tx, calendar),
    /**
     * Deletes some calendars of a person who has left and whose events are gone.
     * @returns true if more remain
     */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeEmptyCalendarsOf(tx, userId, limit)) > 0,
      ),
  };
}

async function getCalendar(
  reader: Reader,
  userId: UserId,
  id: CalendarId,
): Promise<Calendar> {
  const calendar = await findCalendar(reader, userId, id);
  if (!calendar) throw new KithError("not_found", "No such calendar.");
  return calendar;
}

/** The default is read before writing, so concurrent changes must wait for each other. */
async function lockCalendars(
  { db }: CalendarsDeps,
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await lockKey(tx, db.dialect, `calendars:${userId}`);
}

/** If the default calendar is removed, the oldest one becomes the default. */
async function removeEmptyCalendar(
  { clock, facts }: CalendarsDeps,
  tx: Tx,
  { id, userId, isDefault }: Calendar,
): Promise<void> {
  await noteUnshared(facts, tx, id);
  await deleteCalendar(tx, id);
  const heir = isDefault ? await findOldestCalendar(tx, userId) : undefined;
  if (heir)
    await updateCalendar(
      tx,
      heir.id,
      { isDefault: true },
      timestamp(clock.now()),
    );
}

function checkName(name: string): string {
  const checked = storableText(name).trim();
  if (checked === "")
    throw new KithError("empty_string", "The name must not be blank.");
  if ([...checked].length > MAX_NAME_LENGTH)
    throw new KithError(
      "bad_request",
      `The name must have at most ${MAX_NAME_LENGTH} characters.`,
    );
  return checked;
}
