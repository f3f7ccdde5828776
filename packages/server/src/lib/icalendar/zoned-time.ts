import type { Timestamp } from "../time/clock.ts";
import type { Component, Property } from "./ical-text.ts";

/** A change of a zone's offset: the component `STANDARD` or `DAYLIGHT`. */
type Onset = {
  /** The local time before the change. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly isForward: boolean;
};

/** Changes of offsets: forty years. */
const MAX_COVERED = 80;

/** Where a zone has had the same offset for ever: before every event in local time. */
const FIRST_YEAR = 1601;

/**
 * The zones of an iCalendar object, with the offsets in force at the times
 * written so far: exactly what these times need, however the rules change later
 * or have changed before.
 */
export class WrittenZones {
  readonly #zones = new Map<string, Map<string, Onset>>();

  /**
   * A property of a time: local in its zone, or in UTC where the local time
   * names another instant as well, in the hour that clocks show twice.
   */
  timeProperty(name: string, instant: Timestamp, zone: string): Property {
    const time = Temporal.Instant.from(instant).round({
      smallestUnit: "second",
      roundingMode: "floor",
    });
    const local = time.toZonedDateTimeISO(zone);
    const onset = isPlain(local) ? undefined : onsetOf(local);
    if (onset === undefined)
      return [name, {}, "date-time", time.toString({ smallestUnit: "second" })];
    this.#keep(zone, onset);
    const written = local.toPlainDateTime().toString(SECONDS);
    return [name, { tzid: zone }, "date-time", written];
  }

  /** Keeps the offsets of a series without a known end, as far ahead as anybody plans. */
  cover(zone: string, from: Timestamp): void {
    let at: Temporal.ZonedDateTime | null =
      Temporal.Instant.from(from).toZonedDateTimeISO(zone);
    for (let n = 0; at !== null && n < MAX_COVERED && at.year < 9999; n += 1) {
      const onset = onsetOf(at);
      if (onset) this.#keep(zone, onset);
      at = at.getTimeZoneTransition("next");
    }
  }

  /** The `VTIMEZONE` of each zone. */
  components(): Component[] {
    return [...this.#zones].map(([zone, onsets]) => [
      "vtimezone",
      [["tzid", {}, "text", zone]],
      [...onsets.values()].sort(byTime).map(toObservance),
    ]);
  }

  #keep(zone: string, onset: Onset): void {
    const known = this.#zones.get(zone) ?? new Map<string, Onset>();
    this.#zones.set(zone, known.set(onset.at, onset));
  }
}

const SECONDS = { smallestUnit: "second" } as const;

/** Is UTC its zone, or the only form in which this time can be written? */
function isPlain(local: Temporal.ZonedDateTime): boolean {
  const { timeZoneId, year } = local;
  if (/^(Etc\/)?(UTC|UCT|Zulu|Universal|Greenwich)$/i.test(timeZoneId))
    return true;
  if (year < FIRST_YEAR || year > 9999) return true;
  // Programs disagree which of two instants with the same local time is meant.
  const named = (disambiguation: "earlier" | "later") =>
    local.toPlainDateTime().toZonedDateTime(timeZoneId, { disambiguation });
  return !named("earlier").equals(named("later"));
}

/** The latest change of the offset; undefined if it cannot be written. */
function onsetOf(local: Temporal.ZonedDateTime): Onset | undefined {
  // The change may be at this very instant.
  const change = local
    .add({ nanoseconds: 1 })
    .getTimeZoneTransition("previous");
  if (!change || change.year < FIRST_YEAR) {
    const to = local.offset;
    const at = `${FIRST_YEAR}-01-01T00:00:00`;
    return isWritten(to) ? { at, from: to, to, isForward: false } : undefined;
  }
  const before = change.subtract({ nanoseconds: 1 });
  const to = change.offset;
  const from = isWritten(before.offset) ? before.offset : to;
  if (!isWritten(to)) return undefined;
  const at = change.toInstant().toZonedDateTimeISO(from);
  return {
    at: at.toPlainDateTime().toString(SECONDS),
    from,
    to,
    isForward: change.offsetNanoseconds > before.offsetNanoseconds,
  };
}

/** Local mean times have offsets of seconds, which few programs read. */
function isWritten(offset: string): boolean {
  return offset.length === "+00:00".length;
}

function byTime(one: Onset, other: Onset): number {
  return one.at < other.at ? -1 : 1;
}

function toObservance({ at, from, to, isForward }: Onset): Component {
  return [
    isForward ? "daylight" : "standard",
    [
      ["dtstart", {}, "date-time", at],
      ["tzoffsetfrom", {}, "utc-offset", from],
      ["tzoffsetto", {}, "utc-offset", to],
    ],
    [],
  ];
}
