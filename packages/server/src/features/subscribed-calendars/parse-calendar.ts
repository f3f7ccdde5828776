import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { CalendarDataError } from "../../lib/icalendar/calendar-data.ts";
import { parseObject } from "../../lib/icalendar/objects/parse-object.ts";
import {
  splitCalendar,
  type SplitObject,
} from "../../lib/icalendar/objects/split-calendar.ts";
import { seriesOver } from "../../lib/icalendar/occurrences.ts";
import { WorkBudget, WorkBudgetError } from "../../lib/limits/work-budget.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { eventOfObject, overInstant, startInstant } from "../events/index.ts";
import type {
  ReadObject,
  SubscribedDetails,
} from "./subscribed-object-store.ts";

/** A text that was read, as far as Kith understands it. */
export type ParsedCalendar = {
  readonly name: string;
  readonly refreshMs: number | undefined;
  readonly objects: readonly ReadObject[];
};

const MAX_OBJECTS = 5000;
/** Other requests are answered between so many. */
const AT_ONCE = 25;
/** For the rules of all its series. */
const MAX_RULES_MS = 5000;

/**
 * The events of a text. Those that cannot be understood are left out.
 * @param zone of floating times
 * @throws {CalendarDataError} for a text that is no calendar, or has too many events
 */
export async function parseSubscribed(
  bytes: Uint8Array,
  zone: string,
  now: Timestamp,
): Promise<ParsedCalendar> {
  const { objects: found, hints } = splitCalendar(decode(bytes), now);
  if (found.length > MAX_OBJECTS)
    throw new CalendarDataError(
      "max-resource-size",
      `The calendar has more than ${MAX_OBJECTS} events.`,
    );
  const budget = new WorkBudget(MAX_RULES_MS);
  const objects: ReadObject[] = [];
  for (const [at, object] of found.entries()) {
    if (at % AT_ONCE === 0) await setImmediate();
    const read = readObject(object, zone, budget);
    if (read) objects.push(read);
  }
  return { ...hints, objects };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CalendarDataError("valid-calendar-data", "It is not UTF-8.");
  }
}

function readObject(
  { uid, text }: SplitObject,
  zone: string,
  budget: WorkBudget,
): ReadObject | undefined {
  try {
    const details = eventOfObject(parseObject(text, zone), zone, budget);
    return {
      ...{ uid, text, details, digest: digestOf(text) },
      name: `${createHash("sha256").update(uid).digest("hex")}.ics`,
      startAt: startInstant(details),
      untilAt: untilOf(details, budget),
    };
  } catch (error) {
    const isHostile =
      error instanceof CalendarDataError || error instanceof WorkBudgetError;
    if (!isHostile) throw error;
    return undefined;
  }
}

function untilOf(details: SubscribedDetails, budget: WorkBudget): Timestamp {
  const { recurrence } = details;
  return recurrence
    ? seriesOver({ ...details, recurrence }, budget)
    : overInstant(details);
}

/** Many servers write the time of each answer into all events: that is no change. */
export function digestOf(text: string): string {
  const said = text.replaceAll(/^DTSTAMP[:;].*$/gim, "");
  return createHash("sha256").update(said).digest("base64");
}
