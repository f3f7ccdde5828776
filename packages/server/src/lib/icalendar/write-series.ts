import { ical } from "./libraries.ts";
import type { Property } from "./ical-text.ts";
import type { ChangedOccurrence, Recurrence } from "./occurrences.ts";
import type { WrittenZones } from "./zoned-time.ts";

export type Override = ChangedOccurrence;

type WrittenSeries = {
  readonly allDay: boolean;
  readonly start: string;
  readonly timeZone: string;
  readonly recurrence: Recurrence | null;
};

/** The rule of a series, and the dates that are added and removed. */
export function repetitionOf(
  { allDay, start, timeZone, recurrence }: WrittenSeries,
  zones: WrittenZones,
): Property[] {
  if (!recurrence) return [];
  if (!allDay) zones.cover(timeZone, start);
  const { rule, added, removed } = recurrence;
  const written = (name: string) => (at: string) =>
    allDay
      ? ([name, {}, "date", at] as const)
      : zones.timeProperty(name, at, timeZone);
  return [
    ...(rule === null ? [] : [ruleProperty(rule)]),
    ...added.map(written("rdate")),
    ...removed.map(written("exdate")),
  ];
}

/** The library writes rules from their parts alone. */
export function ruleProperty(rule: string): Property {
  const parts = ical().Recur.fromString(rule).toJSON() as unknown as string;
  return ["rrule", {}, "recur", parts];
}

export function overridesOf({
  recurrence,
}: WrittenSeries): readonly Override[] {
  return recurrence?.changed ?? [];
}
