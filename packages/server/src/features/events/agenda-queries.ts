import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import { prepareQuery, type PreparedQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { midnightOf } from "../../lib/time/datetime.ts";
import type { PersonId, UserId } from "../ids.ts";
import { fetchPageByTime, hasKey, type ListOrder, type Page } from "../page.ts";
import {
  isEventNotBlockedOrIgnored,
  isEventVisibleTo,
  isInSharedCalendar,
  type Viewer,
} from "../visibility/index.ts";
import {
  earliestStart,
  eventOf,
  selectEvents,
  type EventRow,
} from "./event-queries.ts";
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
  viewer: Owner,
  { scope, order, ...moments }: AgendaFilter,
  page: Page,
): Promise<CalendarEvent[]> {
  const bounds = boundsOf(moments);
  const part = { scope, order, bounds };
  const rows = hasKey(page)
    ? await fetchPageByTime(agendaOf(reader, viewer, part), page, {
        ...BY_START,
        order,
      })
    : await preparedFor(part)(reader, { ...viewer, ...page, ...bounds });
  return rows.map(eventOf);
}

type Owner = { readonly userId: UserId; readonly personId: PersonId };
type AgendaPart = Pick<AgendaFilter, "scope" | "order"> & {
  readonly bounds: Bounds;
};
const BY_START = { time: "events.start_at", id: "events.id" } as const;

function agendaOf(
  reader: Reader,
  viewer: Owner,
  { scope, bounds }: Pick<AgendaPart, "scope" | "bounds">,
) {
  let query = selectEvents(reader)
    .where(isEventVisibleTo(viewer))
    .where(isEventNotBlockedOrIgnored(viewer));
  if (scope === "own") query = query.where(concerns(viewer));
  const { from, fromDay, fromEdge } = bounds;
  if (from !== undefined)
    query = query
      .where(isBeyond("events.until_at", ">", from, fromDay))
      .where("start_at", ">=", earliestStart(fromEdge ?? from));
  const { to, toDay, toEdge } = bounds;
  if (to !== undefined)
    query = query
      .where(isBeyond("events.start_at", "<", to, toDay))
      .where("start_at", "<", toEdge ?? to);
  const { overBy, overByDay, overByEdge } = bounds;
  if (overBy !== undefined)
    query = query
      .where(isBeyond("events.until_at", "<=", overBy, overByDay))
      .where("start_at", "<=", overByEdge ?? overBy);
  return query;
}

type Prepared = PreparedQuery<
  Owner & Pick<Page, "limit" | "offset"> & Bounds,
  EventRow
>;
const prepared = new Map<string, Prepared>();

/** The agenda is beside each home page, so its query is built once for each form. */
function preparedFor({ scope, order, bounds }: AgendaPart): Prepared {
  const given = MOMENTS.filter((name) => bounds[name] !== undefined);
  const form = [scope, order, ...given].join(" ");
  const made = prepared.get(form) ?? prepareAgenda(scope, order, given);
  prepared.set(form, made);
  return made;
}

function prepareAgenda(
  scope: AgendaFilter["scope"],
  order: ListOrder,
  given: readonly MomentName[],
): Prepared {
  return prepareQuery((reader, value) => {
    const viewer = { userId: value("userId"), personId: value("personId") };
    const bounds: Bounds = Object.fromEntries(
      given.flatMap((name) => [
        [name, value(name)],
        [`${name}Day`, value(`${name}Day`)],
        [`${name}Edge`, value(`${name}Edge`)],
      ]),
    );
    const direction = order === "newest first" ? "desc" : "asc";
    return agendaOf(reader, viewer, { scope, bounds })
      .orderBy(BY_START.time, direction)
      .orderBy(BY_START.id, direction)
      .limit(sql<number>`${value("limit")}`)
      .offset(sql<number>`${value("offset")}`)
      .compile();
  });
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
    .where(
      isBeyond("events.until_at", ">", from.instant, midnightOf(from.date)),
    )
    .where("start_at", ">=", earliestStart(edgesOf(from).first));
  const rows = await fetchPageByTime(query, page, {
    ...BY_START,
    order: "oldest first",
  });
  return rows.map(eventOf);
}

/** Is the column on this side of an instant, or of the day for whole-day events? */
function isBeyond(
  column: "events.start_at" | "events.until_at",
  side: ">" | "<" | "<=",
  instant: Timestamp,
  day: Timestamp = instant,
) {
  return (eb: ExpressionBuilder<Database, "events">) =>
    eb.or([
      eb.and([eb("events.all_day", "=", false), eb(column, side, instant)]),
      eb.and([eb("events.all_day", "=", true), eb(column, side, day)]),
    ]);
}

const MOMENTS = ["from", "to", "overBy"] as const;
type MomentName = (typeof MOMENTS)[number];

/**
 * The instant of each moment, the midnight of its date, and the one of both that bounds the
 * scan of the index: the earlier one for `from`.
 */
type Bounds = {
  readonly [
    Name in MomentName | `${MomentName}Day` | `${MomentName}Edge`
  ]?: Timestamp;
};

function boundsOf(moments: Pick<AgendaFilter, MomentName>): Bounds {
  const bounds: Record<string, Timestamp> = {};
  for (const name of MOMENTS) {
    const moment = moments[name];
    if (!moment) continue;
    const { first, last } = edgesOf(moment);
    bounds[name] = moment.instant;
    bounds[`${name}Day`] = midnightOf(moment.date);
    bounds[`${name}Edge`] = name === "from" ? first : last;
  }
  return bounds;
}

function edgesOf({ instant, date }: Moment): {
  readonly first: Timestamp;
  readonly last: Timestamp;
} {
  const midnight = midnightOf(date);
  return instant < midnight
    ? { first: instant, last: midnight }
    : { first: midnight, last: instant };
}

function concerns({ personId, userId }: Owner) {
  return (eb: ExpressionBuilder<Database, "events">) =>
    eb.or([
      eb("events.person_id", "=", personId),
      isInSharedCalendar({ personId, userId }),
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
