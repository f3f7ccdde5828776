import { createHash } from "node:crypto";
import {
  CalendarDataError,
  parseCalendar,
} from "../../../lib/icalendar/calendar-data.ts";
import {
  splitCalendar,
  versionOf,
  type SplitObject,
} from "../../../lib/icalendar/objects/split-calendar.ts";
import { WorkBudget } from "../../../lib/limits/work-budget.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { CalendarId } from "../../ids.ts";
import type { Author } from "../../posts/index.ts";
import type { EventsDeps } from "../create-event.ts";
import {
  findNameOfUid,
  listObjectsByName,
  type CalendarObject,
} from "./object-store.ts";
import { putObject, type PutObject } from "./put-object.ts";

/** The outcome of an import. */
export type ImportReport = {
  readonly created: number;
  readonly updated: number;
  /** There in this version, or in a later one. */
  readonly unchanged: number;
  /** Tasks, journals, and events that cannot be named. */
  readonly ignored: number;
  /** The first of those that no calendar here can hold. */
  readonly refused: readonly {
    readonly uid: string;
    readonly summary: string;
    readonly reason: string;
  }[];
};

/** Events of one file: a request has to end in time. */
const MAX_IMPORTED = 1000;
const MAX_REFUSED = 100;
/** For the rules of all series of a file. */
const MAX_RULES_MS = 5000;

/**
 * Adds the events of a file to a calendar, and updates those that it has in an earlier
 * version. Each event is stored by itself: one that is refused keeps out no other.
 * @throws {KithError} `not_found` for another user's calendar, `bad_request` for a file that
 *   is none or has too many events
 */
export async function importCalendar(
  deps: EventsDeps,
  owner: Author,
  calendarId: CalendarId,
  bytes: Uint8Array,
): Promise<ImportReport> {
  await deps.calendars.get(owner.userId, calendarId);
  const { objects, ignored } = readFile(deps, bytes);
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const refused: ImportReport["refused"][number][] = [];
  const budget = new WorkBudget(MAX_RULES_MS);
  const into = { owner, calendarId, budget };
  for (const object of objects) {
    const { uid, summary } = object;
    const outcome = await importOne(deps, into, object);
    if (typeof outcome === "string") counts[outcome] += 1;
    else if (refused.length < MAX_REFUSED)
      refused.push({ uid, summary: summary.slice(0, 100), ...outcome });
  }
  return { ...counts, ignored, refused };
}

function readFile({ clock }: Pick<EventsDeps, "clock">, bytes: Uint8Array) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const split = splitCalendar(text, timestamp(clock.now()));
    if (split.objects.length > MAX_IMPORTED)
      throw new KithError(
        "bad_request",
        `The file has more than ${MAX_IMPORTED} events.`,
      );
    return split;
  } catch (error) {
    const isLarge =
      error instanceof CalendarDataError && error.fault === "max-resource-size";
    if (isLarge) throw new KithError("bad_request", error.message);
    if (error instanceof CalendarDataError || error instanceof TypeError)
      throw new KithError("bad_request", "The file has no calendar.");
    throw error;
  }
}

async function importOne(
  deps: EventsDeps,
  into: Pick<PutObject, "budget" | "calendarId" | "owner">,
  { uid, text, version }: SplitObject,
): Promise<"created" | "unchanged" | "updated" | { readonly reason: string }> {
  const { calendarId } = into;
  const known = await findNameOfUid(deps.db.read, calendarId, uid);
  const name = known ?? `${createHash("sha256").update(uid).digest("hex")}.ics`;
  const [there] = await listObjectsByName(deps.db.read, calendarId, [name]);
  if (there && !isLater(version, there)) return "unchanged";
  try {
    const outcome = await putObject(deps, {
      ...{ ...into, name, text },
      condition: (object) => object?.change === there?.change,
    });
    if (outcome.kind === "stored") return outcome.isNew ? "created" : "updated";
    return outcome.kind === "full"
      ? { reason: "The calendar is full." }
      : { reason: "The event was changed meanwhile." };
  } catch (error) {
    if (error instanceof CalendarDataError) return { reason: error.message };
    throw error;
  }
}

/** An event made here that no program has written since is not replaced by its own export. */
function isLater(
  version: SplitObject["version"],
  { text }: CalendarObject,
): boolean {
  if (text === null) return false;
  const there = versionOf(parseCalendar(text, Infinity));
  return version.sequence === there.sequence
    ? version.stamp > there.stamp
    : version.sequence > there.sequence;
}
