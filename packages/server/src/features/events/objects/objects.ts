import type { Tx } from "../../../db/db.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import type { CalendarId } from "../../ids.ts";
import type { Author } from "../../posts/index.ts";
import type { LocalViewer } from "../../visibility/index.ts";
import { getOwnEvent, storeChange } from "../change-event.ts";
import type { EventsDeps } from "../create-event.ts";
import { removeLocked } from "../remove-event.ts";
import { importCalendar } from "./import-calendar.ts";
import { moveTo } from "./note-change.ts";
import {
  deleteSomeRemovals,
  hasName,
  insertRemoval,
  listObjectChanges,
  listObjects,
  listObjectsByName,
  moveObject,
  type CalendarObject,
  type PartOfObjects,
} from "./object-store.ts";
import {
  lockObject,
  putObject,
  type ObjectCondition,
  type PutObject,
} from "./put-object.ts";

type ObjectKey = {
  readonly owner: Author;
  readonly calendarId: CalendarId;
  readonly name: string;
};

export type RemoveOutcome = "condition_failed" | "not_found" | "removed";
export type ObjectMoveOutcome =
  "condition_failed" | "moved" | "not_found" | "replaced" | "taken";

const DAY_MS = 24 * 3_600_000;
/** Programs that ask less often read the whole calendar again. */
const KEPT_DAYS = 90;
const AT_ONCE = 500;

/** The objects of calendars, for programs. The caller has found the calendar of the user. */
export function createCalendarObjects(deps: EventsDeps) {
  const { db } = deps;
  return {
    list: (id: CalendarId, part: PartOfObjects) =>
      listObjects(db.read, id, part),
    listByName: (
      id: CalendarId,
      names: readonly string[],
      viewer?: LocalViewer,
    ) => listObjectsByName(db.read, id, names, viewer),
    /** The changes and removals after a change, oldest first. */
    listChanges: (id: CalendarId, after: number, limit: number) =>
      listObjectChanges(db.read, id, after, limit),
    put: (input: PutObject) => putObject(deps, input),
    remove: (key: ObjectKey, condition: ObjectCondition) =>
      removeObject(deps, key, condition),
    move: (key: ObjectKey, to: Omit<ObjectKey, "owner">, move: MoveHow) =>
      relocate(deps, key, to, move),
    /** Adds the events of a file. @returns the result of each */
    importFile: (owner: Author, id: CalendarId, bytes: Uint8Array) =>
      importCalendar(deps, owner, id, bytes),
    /** Forgets some removals after their time. @returns true if more may remain */
    forgetRemovals: () => forgetRemovals(deps),
  };
}

async function removeObject(
  deps: EventsDeps,
  { owner, calendarId, name }: ObjectKey,
  condition: ObjectCondition,
): Promise<RemoveOutcome> {
  return deps.db.transaction(async (tx) => {
    await lockObject(deps, tx, { owner, calendarId, name });
    const [known] = await listObjectsByName(tx, calendarId, [name]);
    if (!known) return condition(known) ? "not_found" : "condition_failed";
    if (!condition(known)) return "condition_failed";
    const event = await getOwnEvent(deps, tx, owner, { id: known.event.id });
    await removeLocked(deps, tx, event);
    return "removed";
  });
}

type MoveHow = {
  readonly condition: ObjectCondition;
  readonly mayReplace: boolean;
};

async function relocate(
  deps: EventsDeps,
  { owner, calendarId, name }: ObjectKey,
  to: Omit<ObjectKey, "owner">,
  { condition, mayReplace }: MoveHow,
): Promise<ObjectMoveOutcome> {
  return deps.db.transaction(async (tx) => {
    await lockObject(deps, tx, { owner, calendarId, name });
    await deps.calendars.get(owner.userId, to.calendarId, tx);
    const [known] = await listObjectsByName(tx, calendarId, [name]);
    if (!known) return "not_found";
    if (!condition(known)) return "condition_failed";
    if (to.calendarId === calendarId && to.name === name) return "moved";
    const isTaken = await hasName(tx, to.calendarId, to.name);
    if (isTaken && !mayReplace) return "taken";
    if (isTaken) await replace(deps, tx, owner, to);
    await moveKnown(deps, tx, owner, known, to);
    return isTaken ? "replaced" : "moved";
  });
}

async function replace(
  deps: EventsDeps,
  tx: Tx,
  owner: Author,
  { calendarId, name }: Omit<ObjectKey, "owner">,
): Promise<void> {
  const [there] = await listObjectsByName(tx, calendarId, [name]);
  if (!there) return;
  const event = await getOwnEvent(deps, tx, owner, { id: there.event.id });
  await removeLocked(deps, tx, event);
}

async function moveKnown(
  deps: EventsDeps,
  tx: Tx,
  owner: Author,
  known: CalendarObject,
  { calendarId, name }: Omit<ObjectKey, "owner">,
): Promise<void> {
  const event = await getOwnEvent(deps, tx, owner, { id: known.event.id });
  if (event.calendarId === calendarId) {
    await rename(deps, tx, known, { calendarId, name });
    return;
  }
  await moveTo(deps, tx, event, calendarId, name);
  await storeChange(deps, tx, event, { ...kept(event), calendarId });
}

/** Programs see the old name go, and the new one come. */
async function rename(
  { calendars, clock }: EventsDeps,
  tx: Tx,
  known: CalendarObject,
  { calendarId, name }: Omit<ObjectKey, "owner">,
): Promise<void> {
  const change = await calendars.nextChange(tx, calendarId);
  const isLimited = known.event.audience === "limited";
  const old = { calendarId, name: known.name, change, isLimited };
  await insertRemoval(tx, old, timestamp(clock.now()));
  await moveObject(tx, known.event.id, { calendarId, name, change });
}

function kept(event: CalendarObject["event"]) {
  const { status, recurrence } = event;
  return { details: event, status, recurrence };
}

async function forgetRemovals({
  db,
  clock,
  calendars,
}: EventsDeps): Promise<boolean> {
  const before = timestamp(later(clock.now(), -KEPT_DAYS * DAY_MS));
  return db.transaction(async (tx) => {
    const last = await deleteSomeRemovals(tx, before, AT_ONCE);
    for (const [id, change] of last)
      await calendars.forgetChanges(tx, id, change);
    return last.size > 0;
  });
}
