import { timestamp, type Timestamp } from "./clock.ts";

/** The offsets of a time zone from one instant to another, by the zone data of their time. */
export type ZonePeriods = {
  readonly from: Timestamp;
  readonly until: Timestamp;
  /** In order; each from its instant on. In milliseconds. */
  readonly offsets: readonly (readonly [from: Timestamp, offset: number])[];
};

/** More than any zone has in decades. */
const MAX_PERIODS = 500;

/** The zone data of this process: one name for each version. */
export const ZONE_DATA =
  `${process.versions.tz ?? ""} ${process.version}`.trim();

/** By the zone data of this process. */
export function periodsOf(zone: string, from: Date, until: Date): ZonePeriods {
  const offsets: [Timestamp, number][] = [];
  let at: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(
      zone,
    );
  while (
    at &&
    at.epochMilliseconds < until.getTime() &&
    offsets.length < MAX_PERIODS
  ) {
    const begin = timestamp(new Date(at.epochMilliseconds));
    offsets.push([begin, at.offsetNanoseconds / 1e6]);
    at = at.getTimeZoneTransition("next");
  }
  return { from: timestamp(from), until: timestamp(until), offsets };
}

/** The offset at an instant; undefined outside of the periods. */
function offsetAt(
  { from, until, offsets }: ZonePeriods,
  instant: Timestamp,
): number | undefined {
  if (instant < from || instant >= until) return undefined;
  return offsets.findLast(([begin]) => begin <= instant)?.[1];
}

/** Do both have the same offsets from an instant on, as far as both are known? */
export function areSamePeriods(
  one: ZonePeriods,
  other: ZonePeriods,
  from: Timestamp,
): boolean {
  const until = one.until < other.until ? one.until : other.until;
  const begins = [...one.offsets, ...other.offsets]
    .map(([begin]) => begin)
    .filter((begin) => begin > from && begin < until);
  return [from, ...begins].every(
    (at) => offsetAt(one, at) === offsetAt(other, at),
  );
}

/**
 * The instant at which the clocks of a zone show, by the zone data of this process, what an
 * earlier version had them show at another one.
 */
export function keptOnClock(
  before: ZonePeriods,
  zone: string,
  instant: Timestamp,
): Timestamp {
  const offset = offsetAt(before, instant);
  if (offset === undefined) return instant;
  const local = Temporal.Instant.fromEpochMilliseconds(
    Date.parse(instant) + offset,
  )
    .toZonedDateTimeISO("UTC")
    .toPlainDateTime();
  const { epochMilliseconds } = local.toZonedDateTime(zone);
  return timestamp(new Date(epochMilliseconds));
}
