import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { PersonId, UserId } from "../ids.ts";
import { isNotBlockedByAuthor, isNotBlockedOrIgnored } from "./blocks.ts";
import { isNotSuspended } from "./suspensions.ts";

/** A reader with an account here: calendars are shared with nobody else. */
export type LocalViewer = {
  readonly personId: PersonId;
  readonly userId: UserId;
};

type CalendarColumns = {
  readonly calendar: "calendars.id" | "events.calendar_id";
  /** The person whose calendar it is. */
  readonly owner: "events.person_id" | "owners.id";
};

/**
 * The one rule for who sees another's calendar: those with whom it is shared, by name or as
 * members of an aspect, until they leave it. A block or an ignore between the two ends it, as
 * do a suspension of the owner and an account that is not active.
 */
export function isCalendarSharedWith(
  viewer: LocalViewer,
  { calendar, owner }: CalendarColumns,
): RawBuilder<SqlBool> {
  const id = sql.ref(calendar);
  return sql<SqlBool>`(${hasCalendarShare(viewer.personId, calendar)}
    and not exists (select 1 from calendar_readers
      where calendar_readers.calendar_id = ${id}
        and calendar_readers.user_id = ${viewer.userId}
        and calendar_readers.has_left)
    and exists (select 1 from people as sharing
      join users as sharers on sharers.id = sharing.user_id
      where sharing.id = ${sql.ref(owner)} and sharers.state = 'active')
    and ${isNotSuspended([owner])}
    and ${isNotBlockedByAuthor(viewer.personId, [owner])}
    and ${isNotBlockedOrIgnored(viewer.personId, [owner])})`;
}

/** Is the calendar shared with the person, or with an aspect that has it? */
export function hasCalendarShare(
  personId: PersonId,
  calendar: CalendarColumns["calendar"],
  toWrite = false,
): RawBuilder<SqlBool> {
  const isWide = toWrite ? sql`and calendar_shares.may_write` : sql``;
  return sql<SqlBool>`exists (select 1 from calendar_shares
    where calendar_shares.calendar_id = ${sql.ref(calendar)} ${isWide}
      and (calendar_shares.person_id = ${personId}
        or calendar_shares.aspect_id in (
          select aspect_memberships.aspect_id from aspect_memberships
          where aspect_memberships.person_id = ${personId})))`;
}
