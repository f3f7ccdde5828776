import type { Tx } from "../../../db/db.ts";
import { recurringKind, type JobHandler } from "../../../jobs/job.ts";
import { timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import type { EventId } from "../../ids.ts";
import { lockEvent } from "../change-event.ts";
import type { EventsDeps } from "../create-event.ts";
import { findEvent } from "../event-queries.ts";
import {
  listShownUntil,
  shownUntil,
  updateShownUntil,
} from "../event-store.ts";
import { touchObject } from "../objects/note-change.ts";

/** The job that tells other servers of the next event of each series. */
export const ADVANCE_SERIES = recurringKind("advance-series");

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 100;

type AdvanceDeps = Pick<EventsDeps, "calendars" | "clock" | "db" | "facts">;

/**
 * Neither protocol has rules, so that other servers see a series as its next event. Once that is
 * over they are sent the one after it, as a change of which nobody here is notified. Each series
 * is advanced in a transaction of its own, and repeating it after a crash has no effect.
 */
export function createAdvanceSeries(events: {
  readonly advanceSeries: () => Promise<boolean>;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    while (!signal.aborted && (await events.advanceSeries()));
    return { kind: "again", afterMs: EVERY_MS };
  };
}

/** Advances some series. @returns true if more may be due */
export async function advanceSeries(deps: AdvanceDeps): Promise<boolean> {
  const now = timestamp(deps.clock.now());
  const due = await listShownUntil(deps.db.read, now, AT_ONCE);
  for (const id of due)
    await deps.db.transaction((tx) => advance(deps, tx, id, now));
  return due.length === AT_ONCE;
}

async function advance(
  deps: AdvanceDeps,
  tx: Tx,
  id: EventId,
  now: Timestamp,
): Promise<void> {
  const { db, facts } = deps;
  await lockEvent(db, tx, { id });
  const event = await findEvent(tx, { id });
  if (!event) return;
  const next = shownUntil(event, event.recurrence, now);
  const isNews = next !== null && event.audience !== "owner";
  const isMoved = await updateShownUntil(tx, id, next, { now, isNews });
  if (!isMoved || !isNews) return;
  await touchObject(deps, tx, id);
  const by = event.personId;
  await facts.record(tx, { type: "event.advanced", eventId: id, by });
}
