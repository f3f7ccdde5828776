import type ICAL from "ical.js";
import { timestamp, type Timestamp } from "../time/clock.ts";
import { CalendarDataError, invalidData } from "./calendar-data.ts";
import type { ZoneNames } from "./zone-names.ts";

/** Times that Kith can write: later than any calendar reform, with four digits of the year. */
export const YEARS = { first: 1601, last: 9990 };
const MAX_TIMES = 5000;

/** A time of an iCalendar object. */
export class ObjectTime {
  readonly local: Temporal.PlainDateTime;
  /** Is it a day? */
  readonly isDate: boolean;
  /** An IANA name; undefined for a floating time, or a day. */
  readonly zone: string | undefined;

  constructor(
    local: Temporal.PlainDateTime,
    isDate: boolean,
    zone: string | undefined,
  ) {
    this.local = local;
    this.isDate = isDate;
    this.zone = zone;
    if (local.year < YEARS.first)
      throw new CalendarDataError("min-date-time", "A time is too early.");
    if (local.year > YEARS.last)
      throw new CalendarDataError("max-date-time", "A time is too late.");
  }

  /** `YYYY-MM-DD` */
  get date(): string {
    return this.local.toPlainDate().toString();
  }

  /** @param floating the zone of a floating time */
  instantIn(floating: string): Timestamp {
    const { epochMilliseconds } = this.local.toZonedDateTime(
      this.zone ?? floating,
    );
    return timestamp(new Date(epochMilliseconds));
  }

  /** Days and weeks by the calendar, hours by the clock that counts them all. */
  add(duration: Temporal.Duration): ObjectTime {
    const days = { days: duration.days, weeks: duration.weeks };
    const shifted = this.local.add(days);
    if (this.isDate) return new ObjectTime(shifted, true, undefined);
    const exact = duration.with({ days: 0, weeks: 0 });
    const ended =
      this.zone === undefined
        ? shifted.add(exact)
        : shifted.toZonedDateTime(this.zone).add(exact).toPlainDateTime();
    return new ObjectTime(ended, false, this.zone);
  }
}

/** @throws {CalendarDataError} `valid-calendar-data` */
export function readTime(
  property: ICAL.Property,
  zones: ZoneNames,
): ObjectTime {
  const [time] = valuesOf(property);
  return toTime(time, property, zones);
}

/** The times in all properties of a name, `RDATE` or `EXDATE`; periods count by their start. */
export function timesIn(
  event: ICAL.Component,
  name: string,
  zones: ZoneNames,
): ObjectTime[] {
  const times = event
    .getAllProperties(name)
    .flatMap((property) =>
      valuesOf(property).map((value) => toTime(value, property, zones)),
    );
  if (times.length > MAX_TIMES)
    throw invalidData("A series has too many dates.");
  return times;
}

/** In the JSON form of iCalendar (RFC 7265), where all values come after the third item. */
function valuesOf(property: ICAL.Property): unknown[] {
  return (property.toJSON() as unknown[]).slice(3);
}

function toTime(
  value: unknown,
  property: ICAL.Property,
  zones: ZoneNames,
): ObjectTime {
  const written = Array.isArray(value) ? (value[0] as unknown) : value;
  const text = typeof written === "string" ? written : "";
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const tzid = property.getFirstParameter("tzid");
  const isUtc = text.endsWith("Z");
  const zone = !isDate && !isUtc && tzid ? zones(tzid) : undefined;
  try {
    const local = Temporal.PlainDateTime.from(text.replace(/Z$/, ""));
    if (zone) return new ObjectTime(zone.toLocal(local), isDate, zone.name);
    return new ObjectTime(local, isDate, isUtc && !isDate ? "UTC" : undefined);
  } catch (error) {
    if (error instanceof RangeError) throw invalidData("A time is malformed.");
    throw error;
  }
}
