import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { midnightOf } from "../../lib/time/datetime.ts";
import type { PersonId } from "../ids.ts";
import { fetchPageByTime, type ListOrder, type Page } from "../page.ts";
import {
  isEventNotBlockedOrIgnored,
  isEventVisibleTo,
  isInSharedCalendar,
  type Viewer,
} from "../visibility/index.ts";
import { earliestStart, selectEvents, eventOf } from "./event-queries.ts";
import type { CalendarEvent } from "./event.ts";

/**
 * A moment in the time zone of a reader. A whole-day event is on the same date for everyone,
 * so it is compared with the date.
 */
export type Moment = {
  readonly instant: Timestamp;
  /** `YYYY-MM-DD` */
  readonly date: string;
};

export type AgendaFilter = {
  /**
   * `own`: one's own events, those one is invited to or has answered, those of calendars that
   * are shared with one, and those of the people one follows. `known`: all that one may see.
   */
  readonly scope: "own" | "known";
  /** Leaves out what is over by then. */
  readonly from?: Moment;
  /** Leaves out what begins then or later. */
  readonly to?: Moment;
  /** Leaves out what is not over by then. */
  readonly overBy?: Moment;
  readonly order: ListOrder;
};

/** One page of the events that the viewer may see and that concern it, ordered by start. */
export async function listAgenda(
  reader: Reader,
  viewer: NonNullable<Viewer>,
  { scope, from, to, overBy, order }: AgendaFilter,
  page: Page,
): Promise<CalendarEvent[]> {
  let query = selectEvents(reader)
    .where(isEventVisibleTo(viewer))
    .where(isEventNotBlockedOrIgnored(viewer));
  if (scope === "own") query = query.where(concerns(viewer));
  if (from)
    query = query
      .where(isPast("events.until_at", ">", from))
      .where("start_at", ">=", earliestStart(bounds(from).first));
  if (to)
    query = query
      .where(isPast("events.start_at", "<", to))
      .where("start_at", "<", bounds(to).last);
  if (overBy)
    query = query
      .where(isPast("events.until_at", "<=", overBy))
      .where("start_at", "<=", bounds(overBy).last);
  const rows = await fetchPageByTime(query, page, {
    ...{ time: "events.start_at", id: "events.id", order },
  });
  return rows.map(eventOf);
}

/** One page of the events of a person that are not over by a moment, ordered by start. */
export async function listEventsBy(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  from: Moment,
  page: Page,
): Promise<CalendarEvent[]> {
  const query = selectEvents(reader)
    .where("events.person_id", "=", personId)
    .where(isEventVisibleTo(viewer))
    .where(isPast("events.until_at", ">", from))
    .where("start_at", ">=", earliestStart(bounds(from).first));
  const rows = await fetchPageByTime(query, page, {
    ...{ time: "events.start_at", id: "events.id", order: "oldest first" },
  });
  return rows.map(eventOf);
}

/** Is the column on this side of the moment? */
function isPast(
  column: "events.start_at" | "events.until_at",
  side: ">" | "<" | "<=",
  { instant, date }: Moment,
) {
  return (eb: ExpressionBuilder<Database, "events">) =>
    eb.or([
      eb.and([eb("events.all_day", "=", false), eb(column, side, instant)]),
      eb.and([
        eb("events.all_day", "=", true),
        eb(column, side, midnightOf(date)),
      ]),
    ]);
}

function bounds({ instant, date }: Moment): {
  readonly first: Timestamp;
  readonly last: Timestamp;
} {
  const midnight = midnightOf(date);
  return instant < midnight
    ? { first: instant, last: midnight }
    : { first: midnight, last: instant };
}

function concerns({ personId, userId }: NonNullable<Viewer>) {
  return (eb: ExpressionBuilder<Database, "events">) =>
    eb.or([
      eb("events.person_id", "=", personId),
      ...(userId === null ? [] : [isInSharedCalendar({ personId, userId })]),
      sql<SqlBool>`exists (select 1 from event_recipients
        where event_recipients.event_id = events.id
          and event_recipients.person_id = ${personId})`,
      sql<SqlBool>`exists (select 1 from participations
        where participations.event_id = events.id
          and participations.person_id = ${personId})`,
      sql<SqlBool>`exists (select 1 from contacts
        where contacts.user_id = ${userId}
          and contacts.person_id = events.person_id
          and contacts.following = true)`,
    ]);
}
