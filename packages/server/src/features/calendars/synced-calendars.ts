import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { translate } from "../../lib/messages/messages.ts";
import type { CalendarId, UserId } from "../ids.ts";
import { withChanges, type PropertyChanges } from "../../lib/properties.ts";
import {
  lookChanges,
  type CalendarLook,
} from "../../lib/icalendar/calendar-look.ts";
import {
  findCalendar,
  findOldestCalendar,
  insertCalendar,
  updateCalendar,
} from "./calendar-store.ts";
import {
  countChange,
  findCalendarNamed,
  findSyncedById,
  findSyncedCalendar,
  listSyncedCalendars,
  updateForgotten,
  updateProperties,
  type SyncedCalendar,
} from "./synced-calendar-store.ts";

type SyncedDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly lock: (tx: Tx, userId: UserId) => Promise<void>;
  readonly checkName: (name: string) => string;
};

/** Changes of a calendar by a program; null removes a property. */
export type CalendarChanges = {
  readonly name?: string;
  readonly properties: PropertyChanges;
};

/** More than anybody has; a program reads all of them at once. */
export const MAX_CALENDARS = 200;

/** The calendars of a user, for programs. */
export function createSyncedCalendars(deps: SyncedDeps) {
  const { db } = deps;
  return {
    /** A user without calendars gets one. */
    listSynced: async (userId: UserId, locale: string) => {
      const found = await listSyncedCalendars(db.read, userId, MAX_CALENDARS);
      return found.length > 0 ? found : makeFirst(deps, userId, locale);
    },
    /** Also undefined for another user's. */
    findSynced: (userId: UserId, pathName: string) =>
      findSyncedCalendar(db.read, userId, pathName),
    /** Finds one by its Guid, or by its address; undefined for another user's. */
    findNamed: (userId: UserId, names: readonly string[]) =>
      findCalendarNamed(db.read, userId, names),
    /**
     * Makes a calendar at an address that the program chose.
     * @returns undefined if there is one already
     * @throws {KithError} `conflict` if the user has too many, `bad_request` for the name
     */
    createSynced: (userId: UserId, pathName: string, change: CalendarChanges) =>
      createAt(deps, userId, pathName, change),
    /** @throws {KithError} `not_found`, `empty_string` or `bad_request` for the name */
    changeSynced: (userId: UserId, pathName: string, change: CalendarChanges) =>
      db.transaction(async (tx) => {
        await deps.lock(tx, userId);
        const calendar = await findSyncedCalendar(tx, userId, pathName);
        if (!calendar) throw new KithError("not_found", "No such calendar.");
        await apply(deps, tx, calendar, change);
      }),
    /**
     * Names a calendar, or gives it a colour.
     * @throws {KithError} `not_found`, `empty_string`, `bad_request`
     */
    change: (userId: UserId, id: CalendarId, changed: CalendarLook) =>
      db.transaction(async (tx) => {
        await deps.lock(tx, userId);
        const { name } = changed;
        const properties = lookChanges(changed);
        const calendar = await findSyncedById(tx, userId, id);
        if (!calendar) throw new KithError("not_found", "No such calendar.");
        const named = name !== undefined && { name };
        await apply(deps, tx, calendar, { ...named, properties });
        const stored = await findCalendar(tx, userId, id);
        if (!stored) throw new KithError("not_found", "No such calendar.");
        return stored;
      }),
    /** Counts a change of a calendar. @returns its number */
    nextChange: countChange,
    /** Removals up to this change are forgotten. */
    forgetChanges: updateForgotten,
  };
}

async function makeFirst(
  deps: SyncedDeps,
  userId: UserId,
  locale: string,
): Promise<SyncedCalendar[]> {
  const { db, clock, lock } = deps;
  return db.transaction(async (tx) => {
    await lock(tx, userId);
    if (!(await findOldestCalendar(tx, userId))) {
      const name = translate(locale, "calendars.first");
      const calendar = { userId, name, isDefault: true };
      await insertCalendar(tx, calendar, timestamp(clock.now()));
    }
    return listSyncedCalendars(tx, userId, MAX_CALENDARS);
  });
}

async function createAt(
  deps: SyncedDeps,
  userId: UserId,
  pathName: string,
  change: CalendarChanges,
): Promise<SyncedCalendar | undefined> {
  const { db, clock, lock, checkName } = deps;
  const name = checkName(change.name ?? pathName);
  return db.transaction(async (tx) => {
    await lock(tx, userId);
    if (await findSyncedCalendar(tx, userId, pathName)) return undefined;
    const known = await listSyncedCalendars(tx, userId, MAX_CALENDARS);
    if (known.length >= MAX_CALENDARS)
      throw new KithError("conflict", "You have too many calendars.");
    const isDefault = known.length === 0;
    const calendar = { userId, name, isDefault, pathName };
    await insertCalendar(tx, calendar, timestamp(clock.now()));
    const made = await findSyncedCalendar(tx, userId, pathName);
    if (!made) throw new Error("The new calendar cannot be read");
    await apply(deps, tx, made, { properties: change.properties });
    return { ...made, properties: withChanges({}, change.properties) };
  });
}

async function apply(
  { clock, checkName }: SyncedDeps,
  tx: Tx,
  { id, properties }: SyncedCalendar,
  change: CalendarChanges,
): Promise<void> {
  if (change.name !== undefined) {
    const name = checkName(change.name);
    await updateCalendar(tx, id, { name }, timestamp(clock.now()));
  }
  await updateProperties(tx, id, withChanges(properties, change.properties));
  await countChange(tx, id);
}
