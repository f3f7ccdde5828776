import type { Db, Reader, Tx } from "../../../db/db.ts";
import type { CalendarShareId } from "../../../db/schema/ids.ts";
import { KithError } from "../../../lib/errors.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { Facts } from "../../facts.ts";
import { notFoundIfGone } from "../../gone-meanwhile.ts";
import type { AspectId, CalendarId, PersonId, UserId } from "../../ids.ts";
import { refuseMoved } from "../../moved.ts";
import type { LocalViewer, Viewer } from "../../visibility/index.ts";
import { lookChanges } from "../../../lib/icalendar/calendar-look.ts";
import { findCalendar } from "../calendar-store.ts";
import { withChanges } from "../../../lib/properties.ts";
import type { CalendarChanges } from "../synced-calendars.ts";
import {
  deleteCalendarReader,
  deleteCalendarShare,
  deleteSharesOfOwner,
  deleteSharesWithLeaver,
  deleteShareWith,
  listCalendarShares,
  saveCalendarReader,
  upsertCalendarShare,
  type CalendarShare,
} from "./calendar-share-store.ts";
import {
  findLocalUser,
  findSharer,
  findShareReaders,
  findSharedCalendar,
  isSharedPath,
  listSharedCalendars,
  type SharedCalendar,
  type SharedCalendarKey,
} from "./shared-calendar-queries.ts";

export type SharesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly lock: (tx: Tx, userId: UserId) => Promise<void>;
};

export type ShareWith =
  { readonly personId: PersonId } | { readonly aspectId: AspectId };

const MAX_SHARES = 100;
/** More than anybody has; a program reads all of them at once. */
const MAX_SHARED = 200;

/** Calendars that people of this server share with each other. */
export function createCalendarShares(deps: SharesDeps) {
  const { db, lock } = deps;
  return {
    /** @throws {KithError} `not_found`, also for another user's calendar */
    listShares: async (userId: UserId, id: CalendarId) => {
      await getOwn(db.read, userId, id);
      return listCalendarShares(db.read, id);
    },
    /**
     * Shares a calendar, or changes what those may do who have it already. Somebody who has
     * left it gets it again if named.
     * @throws {KithError} `not_found` for a calendar or aspect that is not the owner's, or an
     *   unknown person; `bad_request` for oneself, or a person of another server; `conflict`
     *   for too many
     */
    share: (
      owner: LocalViewer,
      id: CalendarId,
      recipient: ShareWith,
      mayWrite: boolean,
    ) => share(deps, owner, id, recipient, mayWrite),
    /** @throws {KithError} `not_found`, also for another user's */
    endShare: (userId: UserId, id: CalendarId, shareId: CalendarShareId) =>
      db.transaction(async (tx) => {
        await lock(tx, userId);
        await getOwn(tx, userId, id);
        const shares = await listCalendarShares(tx, id);
        if (!shares.some((it) => it.id === shareId))
          throw new KithError("not_found", "No such share.");
        await noteUnshared(deps.facts, tx, id);
        await deleteCalendarShare(tx, id, shareId);
      }),
    /** Is it a path that calendars of others have in the homes of their readers? */
    isSharedPath,
    /** The calendars that others share with the viewer. */
    listShared: (viewer: LocalViewer) =>
      listSharedCalendars(db.read, viewer, MAX_SHARED),
    /** Those of this server whom a share names, unless it has ended. */
    findShareReaders: (id: CalendarId, shareId: CalendarShareId) =>
      findShareReaders(db.read, id, shareId),
    findShared: (
      viewer: LocalViewer,
      key: SharedCalendarKey,
      reader: Reader = db.read,
    ) => findSharedCalendar(reader, viewer, key),
    /**
     * Ends a share from the side of its reader. No share with an aspect shows the calendar
     * again.
     * @throws {KithError} `not_found`
     */
    leaveShared: (viewer: LocalViewer, id: CalendarId) =>
      db.transaction(async (tx) => {
        const found = await getShared(tx, viewer, { id });
        await noteUnshared(deps.facts, tx, found.id);
        await deleteShareWith(tx, found.id, viewer.personId);
        const left = { hasLeft: true, properties: {} };
        await saveCalendarReader(tx, found.id, viewer.userId, left);
      }),
    /**
     * Gives a shared calendar a colour that its reader alone sees.
     * @throws {KithError} `not_found`, `bad_request`
     */
    changeSharedColor: (viewer: LocalViewer, id: CalendarId, color: string) =>
      db.transaction(async (tx) => {
        await lock(tx, viewer.userId);
        const found = await getShared(tx, viewer, { id });
        await saveCalendarReader(tx, id, viewer.userId, {
          hasLeft: false,
          properties: withChanges(found.properties, lookChanges({ color })),
        });
        return getShared(tx, viewer, { id });
      }),
    /**
     * Changes how a shared calendar looks to its reader alone.
     * @throws {KithError} `not_found`
     */
    changeShared: (
      viewer: LocalViewer,
      pathName: string,
      { properties }: Pick<CalendarChanges, "properties">,
    ) =>
      db.transaction(async (tx) => {
        await lock(tx, viewer.userId);
        const found = await getShared(tx, viewer, { pathName });
        await saveCalendarReader(tx, found.id, viewer.userId, {
          hasLeft: false,
          properties: withChanges(found.properties, properties),
        });
      }),
    /** Ends what the owner shares with a person by name: ending a block does not share it again. */
    endSharesWith: async (
      tx: Tx,
      owner: LocalViewer,
      personId: PersonId,
    ): Promise<void> => {
      const ended = await deleteSharesOfOwner(tx, owner.userId, personId);
      for (const id of new Set(ended)) await noteUnshared(deps.facts, tx, id);
    },
    /** Ends what others share with a person who leaves this server. @returns false */
    removeSharesWith: async (leaver: NonNullable<Viewer>): Promise<boolean> => {
      await db.transaction((tx) => deleteSharesWithLeaver(tx, leaver));
      return false;
    },
  };
}

async function share(
  { db, clock, facts, lock }: SharesDeps,
  owner: LocalViewer,
  id: CalendarId,
  recipient: ShareWith,
  mayWrite: boolean,
): Promise<CalendarShare> {
  const writing = db.transaction(async (tx) => {
    await lock(tx, owner.userId);
    await getOwn(tx, owner.userId, id);
    await refuseMoved(tx, owner.personId);
    const reader =
      "personId" in recipient
        ? await getReader(tx, owner, recipient.personId)
        : undefined;
    if ("aspectId" in recipient)
      await checkAspect(tx, owner.userId, recipient.aspectId);
    const before = await listCalendarShares(tx, id);
    const known = before.some((it) => isWith(it, recipient));
    if (!known && before.length >= MAX_SHARES)
      throw new KithError("conflict", "The calendar has too many shares.");
    const none = { personId: null, aspectId: null };
    const stored = { ...none, calendarId: id, ...recipient, mayWrite };
    const now = timestamp(clock.now());
    const shareId = await upsertCalendarShare(tx, stored, now);
    if (reader !== undefined) await deleteCalendarReader(tx, id, reader);
    const fact = { calendarId: id, shareId, by: owner.personId };
    if (!known) await facts.record(tx, { type: "calendar.shared", ...fact });
    const after = await listCalendarShares(tx, id);
    const made = after.find((it) => it.id === shareId);
    if (!made) throw new KithError("not_found", "Deleted meanwhile.");
    return made;
  });
  return notFoundIfGone(writing);
}

/** Notes that readers may lose a calendar, if somebody else reads it. */
export async function noteUnshared(
  facts: Facts,
  tx: Tx,
  id: CalendarId,
): Promise<void> {
  const shared = await findSharer(tx, id);
  if (shared) await facts.record(tx, { type: "calendar.unshared", ...shared });
}

function isWith({ with: known }: CalendarShare, recipient: ShareWith): boolean {
  return known.kind === "person"
    ? "personId" in recipient && recipient.personId === known.personId
    : "aspectId" in recipient && recipient.aspectId === known.aspectId;
}

async function getReader(
  tx: Tx,
  owner: LocalViewer,
  personId: PersonId,
): Promise<UserId> {
  if (personId === owner.personId)
    throw new KithError("bad_request", "The calendar is yours already.");
  const userId = await findLocalUser(tx, personId);
  if (userId === undefined)
    throw new KithError(
      "bad_request",
      "A calendar can be shared with people of this server.",
    );
  return userId;
}

/** @throws {KithError} `not_found` for an aspect that is not the user's */
async function checkAspect(
  tx: Tx,
  userId: UserId,
  id: AspectId,
): Promise<void> {
  const row = await tx
    .selectFrom("aspects")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!row) throw new KithError("not_found", "No such aspect.");
}

async function getOwn(
  reader: Reader,
  userId: UserId,
  id: CalendarId,
): Promise<void> {
  if (!(await findCalendar(reader, userId, id)))
    throw new KithError("not_found", "No such calendar.");
}

async function getShared(
  reader: Reader,
  viewer: LocalViewer,
  key: SharedCalendarKey,
): Promise<SharedCalendar> {
  const found = await findSharedCalendar(reader, viewer, key);
  if (!found) throw new KithError("not_found", "No such calendar.");
  return found;
}
