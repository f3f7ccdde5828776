import type { Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { WorkBudgetError } from "../../lib/limits/work-budget.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { CalendarEvent, Events } from "../events/index.ts";
import {
  storeWithin,
  type StoreNotificationDeps,
} from "../notifications/index.ts";
import { isReminded, leadsFor } from "./leads-for.ts";
import { nextReminder, type Reminder } from "./next-reminder.ts";
import {
  deleteDueReminder,
  findReminded,
  findRemindedUntil,
  listDue,
  updateDue,
  type DueReminder,
  type Reminded,
} from "./reminder-store.ts";

/** The job that reminds users of events. */
export const REMIND = recurringKind("remind");

const EVERY_MS = 20_000;
const AT_ONCE = 100;
const MINUTE_MS = 60_000;
/** A server that was down tells what is later only of events that have not begun. */
const LATE_MS = 60 * MINUTE_MS;
/** Of one event; a longer outage of a busy series is not caught up with. */
const MAX_CAUGHT_UP = 200;

export type RemindDeps = StoreNotificationDeps & {
  readonly events: Pick<Events, "findVisible">;
};

/**
 * Reminds each user of each event in a transaction of its own, which also notes what was told:
 * nobody is reminded twice, however often the job runs.
 */
export function createRemind(
  deps: RemindDeps,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    for (let isMore = true; isMore && !signal.aborted;) {
      const now = timestamp(deps.clock.now());
      const due = await listDue(deps.db.read, now, AT_ONCE);
      for (const one of due)
        await deps.db.transaction((tx) => remind(deps, tx, one, now));
      isMore = due.length === AT_ONCE;
    }
    return { kind: "again", afterMs: EVERY_MS };
  };
}

async function remind(
  deps: RemindDeps,
  tx: Tx,
  due: DueReminder,
  now: Timestamp,
): Promise<void> {
  const { eventId, userId } = due;
  await lockKey(tx, deps.db.dialect, `reminder:${eventId}:${userId}`);
  const remindedUntil = await findRemindedUntil(tx, due, now);
  if (remindedUntil === undefined) return;
  const reminded = await findReminded(tx, due);
  const event =
    reminded && (await deps.events.findVisible({ id: eventId }, reminded, tx));
  if (!event || !isReminded(event, reminded)) return deleteDueReminder(tx, due);
  const leads = await leadsFor(tx, event, reminded);
  const { fresh, next, until } = catchUp(
    event,
    leads,
    reminded,
    remindedUntil,
    now,
  );
  if (fresh) await notifyOf(deps, tx, event, reminded);
  await (next === undefined
    ? deleteDueReminder(tx, due)
    : updateDue(tx, due, { lookAt: next.at, remindedUntil: until }));
}

type CaughtUp = {
  /** The latest reminder that is due and not too late. */
  readonly fresh: Reminder | undefined;
  readonly next: Reminder | undefined;
  readonly until: Timestamp;
};

/** Several that are due at once are told as one. */
function catchUp(
  event: CalendarEvent,
  leads: readonly number[],
  { timeZone }: Reminded,
  remindedUntil: Timestamp,
  now: Timestamp,
): CaughtUp {
  let until = remindedUntil;
  let fresh: Reminder | undefined;
  for (let count = 0; ; count += 1) {
    if (count === MAX_CAUGHT_UP) until = now;
    const next = findNext(event, leads, timeZone, until);
    if (next === undefined || next.at > now) return { fresh, next, until };
    if (isFresh(next, now)) fresh = next;
    until = next.at;
  }
}

/** A rule that takes too long to compute reminds nobody. */
function findNext(
  ...[event, leads, zone, after]: Parameters<typeof nextReminder>
): Reminder | undefined {
  try {
    return nextReminder(event, leads, zone, after);
  } catch (error) {
    if (error instanceof WorkBudgetError) return undefined;
    throw error;
  }
}

function isFresh({ at, start }: Reminder, now: Timestamp): boolean {
  return start > now || timestamp(later(new Date(at), LATE_MS)) > now;
}

/** It replaces the one before of the same event. */
async function notifyOf(
  deps: RemindDeps,
  tx: Tx,
  { guid, personId }: CalendarEvent,
  { userId, personId: selfId }: Reminded,
): Promise<void> {
  await storeWithin(deps, tx, {
    selfId,
    notification: {
      ...{ userId, personId, reason: "event_reminder" as const },
      ...{ shareableType: "Event" as const, shareableGuid: guid },
    },
  });
}
