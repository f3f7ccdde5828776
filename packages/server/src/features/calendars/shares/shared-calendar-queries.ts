import type { Reader } from "../../../db/db.ts";
import {
  hasCalendarShare,
  isCalendarSharedWith,
  type LocalViewer,
} from "../../visibility/index.ts";
import type {
  CalendarId,
  CalendarShareId,
  PersonId,
  UserId,
} from "../../ids.ts";
import { colorOf } from "../../../lib/icalendar/calendar-look.ts";
import { storedProperties } from "../calendar-store.ts";
import { syncedOf, type SyncedCalendar } from "../synced-calendar-store.ts";

/** A calendar of another person of this server, as the reader finds it. */
export type SharedCalendar = SyncedCalendar & {
  readonly share: {
    readonly mayWrite: boolean;
    readonly owner: {
      readonly userId: UserId;
      readonly personId: PersonId;
      readonly username: string;
    };
  };
};

export type SharedCalendarKey =
  | { readonly guid: string }
  | { readonly id: CalendarId }
  | { readonly pathName: string };

/** Where the calendar is in the home of each of its readers. */
const PREFIX = "shared-";

export function isSharedPath(pathName: string): boolean {
  return pathName.startsWith(PREFIX);
}

function selectShared(reader: Reader, viewer: LocalViewer) {
  return reader
    .selectFrom("calendars")
    .innerJoin("users", "users.id", "calendars.user_id")
    .innerJoin("people as owners", "owners.user_id", "users.id")
    .leftJoin("calendar_readers", (join) =>
      join
        .onRef("calendar_readers.calendar_id", "=", "calendars.id")
        .on("calendar_readers.user_id", "=", viewer.userId),
    )
    .selectAll("calendars")
    .select(["owners.id as owner_id", "users.username as owner_name"])
    .select("calendar_readers.properties as own_properties")
    .select(
      hasCalendarShare(viewer.personId, "calendars.id", true).as("may_write"),
    )
    .where("calendars.user_id", "<>", viewer.userId)
    .where(
      isCalendarSharedWith(viewer, {
        ...{ calendar: "calendars.id", owner: "owners.id" },
      }),
    );
}

type Row = Awaited<
  ReturnType<ReturnType<typeof selectShared>["executeTakeFirstOrThrow"]>
>;

function sharedOf(row: Row): SharedCalendar {
  const properties = storedProperties({ properties: row.own_properties });
  return {
    ...syncedOf(row),
    isDefault: false,
    pathName: `${PREFIX}${row.guid}`,
    properties,
    color: colorOf(properties),
    share: {
      mayWrite: Boolean(row.may_write),
      owner: {
        userId: row.user_id,
        personId: row.owner_id,
        username: row.owner_name,
      },
    },
  };
}

/** The calendars that others share with the reader, oldest first. */
export async function listSharedCalendars(
  reader: Reader,
  viewer: LocalViewer,
  limit: number,
): Promise<SharedCalendar[]> {
  const rows = await selectShared(reader, viewer)
    .orderBy("calendars.id")
    .limit(limit)
    .execute();
  return rows.map(sharedOf);
}

/** Undefined for a calendar that is the reader's own, or not shared with it. */
export async function findSharedCalendar(
  reader: Reader,
  viewer: LocalViewer,
  key: SharedCalendarKey,
): Promise<SharedCalendar | undefined> {
  const query = selectShared(reader, viewer);
  if ("id" in key) {
    const row = await query
      .where("calendars.id", "=", key.id)
      .executeTakeFirst();
    return row && sharedOf(row);
  }
  if ("pathName" in key && !isSharedPath(key.pathName)) return undefined;
  const guid = "guid" in key ? key.guid : key.pathName.slice(PREFIX.length);
  const row = await query.where("calendars.guid", "=", guid).executeTakeFirst();
  return row && sharedOf(row);
}

/** Is the person one of this server, with an account that is open? */
export async function findLocalUser(
  reader: Reader,
  personId: PersonId,
): Promise<UserId | undefined> {
  const row = await reader
    .selectFrom("people")
    .innerJoin("users", "users.id", "people.user_id")
    .select("users.id")
    .where("people.id", "=", personId)
    .where("people.state", "=", "active")
    .where("users.state", "=", "active")
    .executeTakeFirst();
  return row?.id;
}

/** The person who shares a calendar; undefined if nobody has it by a share. */
export async function findSharer(
  reader: Reader,
  id: CalendarId,
): Promise<{ readonly guid: string; readonly by: PersonId } | undefined> {
  const row = await reader
    .selectFrom("calendar_shares")
    .innerJoin("calendars", "calendars.id", "calendar_shares.calendar_id")
    .innerJoin("people", "people.user_id", "calendars.user_id")
    .select(["calendars.guid", "people.id"])
    .where("calendar_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row && { guid: row.guid, by: row.id };
}

/** The users whom a share names: one, or those of an aspect. */
export async function findShareReaders(
  reader: Reader,
  calendarId: CalendarId,
  shareId: CalendarShareId,
): Promise<
  { readonly guid: string; readonly userIds: readonly UserId[] } | undefined
> {
  const share = await reader
    .selectFrom("calendar_shares")
    .innerJoin("calendars", "calendars.id", "calendar_shares.calendar_id")
    .select(["calendars.guid", "person_id", "aspect_id"])
    .where("calendar_shares.id", "=", shareId)
    .where("calendar_id", "=", calendarId)
    .executeTakeFirst();
  if (!share) return undefined;
  const { guid, person_id: personId, aspect_id: aspectId } = share;
  const rows = await reader
    .selectFrom("people")
    .select("people.user_id")
    .where("people.user_id", "is not", null)
    .where((eb) =>
      personId !== null
        ? eb("people.id", "=", personId)
        : eb("people.id", "in", (on) =>
            on
              .selectFrom("aspect_memberships")
              .select("aspect_memberships.person_id")
              .where("aspect_id", "=", aspectId),
          ),
    )
    .execute();
  const userIds = rows.flatMap((row) => row.user_id ?? []);
  return { guid, userIds };
}
