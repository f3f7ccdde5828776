import type { Tx } from "../../../db/db.ts";
import { recurringKind, type JobHandler } from "../../../jobs/job.ts";
import { CalendarDataError } from "../../../lib/icalendar/calendar-data.ts";
import { parseObject } from "../../../lib/icalendar/objects/parse-object.ts";
import type { Recurrence } from "../../../lib/icalendar/occurrences.ts";
import { WorkBudget } from "../../../lib/limits/work-budget.ts";
import { later, timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import {
  areSamePeriods,
  keptOnClock,
  periodsOf,
  ZONE_DATA,
  type ZonePeriods,
} from "../../../lib/time/zone-periods.ts";
import type { EventId } from "../../ids.ts";
import { isSame, lockEvent, storeChange } from "../change-event.ts";
import type { EventsDeps } from "../create-event.ts";
import { findEvent } from "../event-queries.ts";
import type { CalendarEvent, EventDetails } from "../event.ts";
import { eventOfObject } from "../objects/event-of-object.ts";
import { touchObject } from "../objects/note-change.ts";
import { findObjectPlace } from "../objects/object-store.ts";
import {
  listKnownZones,
  listWrittenBefore,
  listZonesInUse,
  findZoneDataSince,
  saveKnownZone,
  saveZoneData,
} from "./zone-store.ts";

/** The job that keeps the local times of events when the data of time zones change. */
export const KEEP_LOCAL_TIMES = recurringKind("keep-local-times");

const EVERY_MS = 3_600_000;
const YEAR_MS = 365 * 86_400_000;
/** The offsets of a zone are known so far ahead; later events are not moved. */
const YEARS = 20;
const AT_ONCE = 100;
const MAX_RULE_MS = 1000;

/**
 * An event that was given with a local time and a zone means that local time, but is stored as
 * an instant. The offsets of its zone are kept, too: where those of this process are others, the
 * coming events written before are moved, each in a transaction of its own.
 */
export function createKeepLocalTimes(events: {
  readonly keepLocalTimes: (signal: AbortSignal) => Promise<void>;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    await events.keepLocalTimes(signal);
    return { kind: "again", afterMs: EVERY_MS };
  };
}

/** Notes the zone data of this process before it writes events. */
export function noteZoneData(
  { clock }: Pick<EventsDeps, "clock">,
  tx: Tx,
): Promise<void> {
  return saveZoneData(tx, ZONE_DATA, timestamp(clock.now()));
}

export async function keepLocalTimes(
  deps: EventsDeps,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const at = timestamp(now);
  const since = await findZoneDataSince(db.read, ZONE_DATA);
  // A process with other zone data began later: the events are its own to move.
  if (since === undefined) return;
  const known = await listKnownZones(db.read);
  for (const zone of await listZonesInUse(db.read, at)) {
    if (signal.aborted) return;
    const before = known.get(zone);
    const current = periodsOf(zone, now, later(now, YEARS * YEAR_MS));
    const areKept = before && areSamePeriods(before, current, at);
    if (areKept && reachesFar(before, now)) continue;
    if (before && !areKept) {
      const range = { now: at, before: since };
      await moveAll(deps, { zone, before, range }, signal);
    }
    // The next run moves the rest.
    if (signal.aborted) return;
    await db.transaction((tx) => saveKnownZone(tx, zone, current));
  }
}

/** Else the known offsets are renewed: once in a year. */
function reachesFar({ until }: ZonePeriods, now: Date): boolean {
  return until > timestamp(later(now, (YEARS - 1) * YEAR_MS));
}

type Moved = {
  readonly zone: string;
  readonly before: ZonePeriods;
  readonly range: { readonly now: Timestamp; readonly before: Timestamp };
};

async function moveAll(
  deps: EventsDeps,
  moved: Moved,
  signal: AbortSignal,
): Promise<void> {
  const { zone, range } = moved;
  let after: EventId | undefined;
  for (;;) {
    const { read } = deps.db;
    const ids = await listWrittenBefore(read, zone, range, after, AT_ONCE);
    for (const id of ids) {
      if (signal.aborted) return;
      await deps.db.transaction((tx) => moveOne(deps, tx, id, moved));
    }
    after = ids.at(-1);
    if (ids.length < AT_ONCE) return;
  }
}

async function moveOne(
  deps: EventsDeps,
  tx: Tx,
  id: EventId,
  { zone, before, range }: Moved,
): Promise<void> {
  await lockEvent(deps.db, tx, { id });
  const event = await findEvent(tx, { id });
  // Written meanwhile: with the new data.
  if (!event || event.updatedAt >= range.before || event.timeZone !== zone)
    return;
  const { details, recurrence } =
    (await timesOfText(tx, event)) ?? timesOnClock(event, before);
  const isKept =
    isSame(details, event) &&
    JSON.stringify(recurrence) === JSON.stringify(event.recurrence);
  if (isKept) return;
  // Programs read its zone again.
  await touchObject(deps, tx, id);
  const { calendarId, status } = event;
  await storeChange(deps, tx, event, {
    ...{ details, calendarId, status, recurrence },
  });
}

type Times = Pick<CalendarEvent, "recurrence"> & {
  readonly details: EventDetails;
};

/** The text of a program says whether its times are local, floating, or in UTC. */
async function timesOfText(
  tx: Tx,
  event: CalendarEvent,
): Promise<Times | undefined> {
  const { timeZone, ...known } = event;
  const { text = null } = (await findObjectPlace(tx, event.id)) ?? {};
  if (text === null) return undefined;
  try {
    const budget = new WorkBudget(MAX_RULE_MS);
    const read = eventOfObject(parseObject(text, timeZone), timeZone, budget);
    const { start, end, allDay, recurrence } = read;
    const details = { ...known, start, end, allDay, timeZone: read.timeZone };
    return { details, recurrence };
  } catch (error) {
    if (error instanceof CalendarDataError) return undefined;
    throw error;
  }
}

function timesOnClock(event: CalendarEvent, before: ZonePeriods): Times {
  const keep = (instant: string) =>
    keptOnClock(before, event.timeZone, instant);
  const { start, end, recurrence } = event;
  return {
    details: {
      ...event,
      ...{ start: keep(start), end: end === null ? null : keep(end) },
    },
    recurrence: movedRecurrence(recurrence, keep),
  };
}

/** Exceptions are named by the instants at which the series has them begin. */
function movedRecurrence(
  recurrence: CalendarEvent["recurrence"],
  keep: (instant: string) => string,
): Recurrence | null {
  if (!recurrence) return null;
  const { rule, added, removed, changed } = recurrence;
  return {
    rule,
    added: added.map(keep),
    removed: removed.map(keep),
    changed: changed.map((one) => ({
      ...one,
      at: keep(one.at),
      ...(!one.allDay && {
        start: keep(one.start),
        end: one.end === null ? null : keep(one.end),
      }),
    })),
  };
}
