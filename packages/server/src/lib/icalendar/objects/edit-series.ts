import type ICAL from "ical.js";
import { ical } from "../libraries.ts";
import type { Property } from "../ical-text.ts";
import { readTime } from "../object-time.ts";
import type { ChangedOccurrence, Recurrence } from "../occurrences.ts";
import { ruleProperty } from "../write-series.ts";
import { writeDays } from "../write-calendar.ts";
import { zonesOf } from "../zone-names.ts";
import { WrittenZones } from "../zoned-time.ts";
import { addAll, addZones, setStamps, setText } from "./set-properties.ts";

/** How an event repeats, and by which clock. */
type EditedSeries = {
  readonly allDay: boolean;
  readonly start: string;
  readonly timeZone: string;
  readonly recurrence: Recurrence | null;
};

const TEXTS = ["summary", "description", "location"] as const;

/**
 * Writes a changed recurrence into an object: what did not change stays as a program wrote it.
 * @param stamp in UTC, as iCalendar writes it
 */
export function setRecurrence(
  root: ICAL.Component,
  master: ICAL.Component,
  before: EditedSeries,
  after: EditedSeries,
  stamp: string,
): void {
  const [one, other] = [before.recurrence, after.recurrence];
  const zones = new WrittenZones();
  if ((one?.rule ?? null) !== (other?.rule ?? null)) {
    master.removeAllProperties("rrule");
    if (other?.rule != null) addAll(master, [ruleProperty(other.rule)]);
  }
  for (const [name, part] of [
    ["exdate", "removed"],
    ["rdate", "added"],
  ] as const) {
    const dates = other?.[part] ?? [];
    if ((one?.[part] ?? []).join() === dates.join()) continue;
    master.removeAllProperties(name);
    addAll(
      master,
      dates.map((at) => timeOf(name, at, after, zones)),
    );
  }
  const changed = new Map((other?.changed ?? []).map((it) => [it.at, it]));
  const known = overridesOf(root, after);
  for (const [at, event] of known)
    if (!changed.has(at)) root.removeSubcomponent(event);
  const old = new Map((one?.changed ?? []).map((it) => [it.at, it]));
  for (const [at, change] of changed) {
    if (JSON.stringify(old.get(at)) === JSON.stringify(change)) continue;
    const event = known.get(at) ?? newOverride(master, at, after, zones);
    if (!known.has(at)) root.addSubcomponent(event);
    setOverride(event, change, old.get(at), after.timeZone, zones);
    setStamps(event, stamp);
  }
  addZones(root, zones);
}

/** The changed events of an object by the time at which the series has them begin. */
function overridesOf(
  root: ICAL.Component,
  { allDay, timeZone }: EditedSeries,
): Map<string, ICAL.Component> {
  const zones = zonesOf(root, timeZone);
  return new Map(
    root.getAllSubcomponents("vevent").flatMap((event) => {
      const id = event.getFirstProperty("recurrence-id");
      if (!id) return [];
      const time = readTime(id, zones);
      return [[allDay ? time.date : time.instantIn(timeZone), event] as const];
    }),
  );
}

const OF_SERIES = ["rrule", "rdate", "exdate", "exrule"];

/** With all that the series has, such as its alarms. */
function newOverride(
  master: ICAL.Component,
  at: string,
  series: EditedSeries,
  zones: WrittenZones,
): ICAL.Component {
  const event = new (ical().Component)(
    structuredClone(master.toJSON()) as unknown[],
  );
  for (const name of OF_SERIES) event.removeAllProperties(name);
  addAll(event, [timeOf("recurrence-id", at, series, zones)]);
  return event;
}

function timeOf(
  name: string,
  at: string,
  { allDay, timeZone }: EditedSeries,
  zones: WrittenZones,
): Property {
  return allDay
    ? [name, {}, "date", at]
    : zones.timeProperty(name, at, timeZone);
}

function setOverride(
  event: ICAL.Component,
  change: ChangedOccurrence,
  before: ChangedOccurrence | undefined,
  timeZone: string,
  zones: WrittenZones,
): void {
  for (const name of TEXTS)
    if (before?.[name] !== change[name]) setText(event, name, change[name]);
  const { allDay, start, end, isCancelled } = change;
  const isMoved =
    before?.start !== start || before.end !== end || before.allDay !== allDay;
  if (isMoved) {
    for (const name of ["dtstart", "dtend", "duration"])
      event.removeAllProperties(name);
    addAll(
      event,
      allDay
        ? writeDays(start, end)
        : [
            zones.timeProperty("dtstart", start, timeZone),
            ...(end !== null && end > start
              ? [zones.timeProperty("dtend", end, timeZone)]
              : []),
          ],
    );
  }
  if (isCancelled === (before?.isCancelled ?? false)) return;
  event.removeAllProperties("status");
  if (isCancelled) addAll(event, [["status", {}, "text", "CANCELLED"]]);
}
