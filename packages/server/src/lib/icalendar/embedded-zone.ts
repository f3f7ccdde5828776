import type ICAL from "ical.js";
import { ical } from "./libraries.ts";

/** More years than any rule of today needs to be told from another. */
const SAMPLED_YEARS = 2;
const FIRST_SAMPLED_YEAR = 2026;
/** Where no observance recurs, the years before the last change are sampled, and a while after it. */
const BEFORE_LAST_YEARS = 4;
const AFTER_LAST_DAYS = 200;
/** Each is more than any program writes. Those that recur have a change in each year since the 17th century. */
const MAX_CHANGES = 300;
const MAX_RECURRING = 8;
/** Outlook lets the rules of today begin in this year. */
const FIRST_YEAR = 1601;
const LAST_YEAR = 2200;

/** No zone changes twice within. */
const SAMPLED_EACH_DAYS = 7;
const ONE_DAY = { days: 1 };
const NOON = { hour: 12 };

const DAYS_OF_A_WEEK = 7;

/** An offset from UTC, in seconds, at an instant. */
export type Sample = {
  readonly at: Temporal.Instant;
  readonly offset: number;
};

/** The rules of a `VTIMEZONE` (RFC 5545, section 3.6.5). */
export class EmbeddedZone {
  readonly #zone: ICAL.Timezone;
  readonly #onsets: readonly Onset[];

  private constructor(zone: ICAL.Timezone, onsets: readonly Onset[]) {
    this.#zone = zone;
    this.#onsets = onsets;
  }

  /** @returns undefined for rules that are malformed, or that no zone has */
  static read(written: ICAL.Component): EmbeddedZone | undefined {
    try {
      const definition = withoutFirstYears(written);
      const observances = definition.getAllSubcomponents();
      const dates = observances.flatMap((it) => it.getAllProperties("rdate"));
      if (observances.length + dates.length > MAX_CHANGES) return undefined;
      const onsets = observances.map(readOnset);
      if (onsets.length === 0 || !onsets.every((it) => it !== undefined))
        return undefined;
      if (onsets.filter(({ recurs }) => recurs).length > MAX_RECURRING)
        return undefined;
      onsets.sort((a, b) => Temporal.PlainDateTime.compare(a.local, b.local));
      return new EmbeddedZone(
        new (ical().Timezone)({ component: definition }),
        onsets,
      );
    } catch {
      // The library and Temporal throw errors of many kinds for what they cannot read.
      return undefined;
    }
  }

  toInstant(local: Temporal.PlainDateTime): Temporal.Instant {
    return local
      .toZonedDateTime("UTC")
      .toInstant()
      .subtract({ seconds: this.#offsetAt(local) });
  }

  /** The offsets around each of its changes, by which it is told from other zones. */
  sample(): readonly Sample[] {
    const { from, to } = this.#sampledDays();
    const samples = [this.#sampleOn(from)];
    for (
      let day = from;
      Temporal.PlainDate.compare(day, to) < 0;
      day = day.add({ days: SAMPLED_EACH_DAYS })
    )
      samples.push(...this.#changesAfter(day));
    return [...samples, this.#sampleOn(to)];
  }

  /** The days around each change until the next sampled one. */
  #changesAfter(day: Temporal.PlainDate): Sample[] {
    const next = day.add({ days: SAMPLED_EACH_DAYS });
    if (this.#offsetOn(day) === this.#offsetOn(next)) return [];
    const days = Array.from({ length: SAMPLED_EACH_DAYS }, (_, n) =>
      day.add({ days: n }),
    );
    return days
      .filter((it) => this.#offsetOn(it) !== this.#offsetOn(it.add(ONE_DAY)))
      .flatMap((it) => [this.#sampleOn(it), this.#sampleOn(it.add(ONE_DAY))]);
  }

  #sampleOn(day: Temporal.PlainDate): Sample {
    const at = this.toInstant(day.toPlainDateTime(NOON));
    return { at, offset: this.#offsetOn(day) };
  }

  #offsetOn(day: Temporal.PlainDate): number {
    return this.#offsetAt(day.toPlainDateTime(NOON));
  }

  #sampledDays() {
    const [first] = this.#onsets;
    const last = this.#onsets.at(-1);
    if (!first || !last) throw new Error("A zone has an onset");
    const isFixed = this.#onsets.length === 1;
    if (!isFixed && !this.#onsets.some(({ recurs }) => recurs)) {
      const end = last.local.toPlainDate();
      // In other zones its time of day may be that of another day.
      const start = first.local.toPlainDate().add({ days: 2 });
      const earliest = end.subtract({ years: BEFORE_LAST_YEARS });
      const isLong = Temporal.PlainDate.compare(start, earliest) < 0;
      return {
        from: isLong ? earliest : start,
        to: end.add({ days: AFTER_LAST_DAYS }),
      };
    }
    const year = Math.min(
      Math.max(FIRST_SAMPLED_YEAR, last.local.year + 1),
      LAST_YEAR,
    );
    const from = Temporal.PlainDate.from({ year, month: 1, day: 1 });
    return { from, to: from.add({ years: SAMPLED_YEARS }) };
  }

  #offsetAt(local: Temporal.PlainDateTime): number {
    const [first] = this.#onsets;
    if (first && Temporal.PlainDateTime.compare(local, first.local) < 0)
      return first.offsetBefore;
    const { month, day, hour, minute, second } = local;
    const year = Math.min(local.year, LAST_YEAR);
    return this.#zone.utcOffset(
      ical().Time.fromData({ year, month, day, hour, minute, second }),
    );
  }
}

/** Programs also let an observance begin in the year 1, with which the library calculates wrongly. */
function withoutFirstYears(definition: ICAL.Component): ICAL.Component {
  const copy = new (ical().Component)(
    structuredClone(definition.toJSON()) as unknown[],
  );
  for (const observance of copy.getAllSubcomponents()) {
    const start = observance.getFirstPropertyValue("dtstart");
    if (start instanceof ical().Time && start.year < FIRST_YEAR) {
      const later = start.clone();
      later.year = FIRST_YEAR;
      observance.updatePropertyWithValue("dtstart", later);
    }
  }
  return copy;
}

/** The first change of an observance. */
type Onset = {
  readonly local: Temporal.PlainDateTime;
  readonly offsetBefore: number;
  readonly recurs: boolean;
};

function readOnset(observance: ICAL.Component): Onset | undefined {
  const [start, from, to] = ["dtstart", "tzoffsetfrom", "tzoffsetto"].map(
    (name) => observance.getFirstPropertyValue(name)?.toString(),
  );
  if (start === undefined || from === undefined || to === undefined)
    return undefined;
  const rule = observance.getFirstPropertyValue("rrule");
  if (rule !== null && !isYearly(rule as ICAL.Recur)) return undefined;
  return {
    local: Temporal.PlainDateTime.from(start.replace(/Z$/, "")),
    offsetBefore: secondsOf(from),
    recurs: rule !== null,
  };
}

/** One day a year, or the days of a week in a month. Other rules could have millions of changes. */
function isYearly({ freq, parts }: ICAL.Recur): boolean {
  const { BYMONTH = [], BYDAY = [], BYMONTHDAY = [], ...others } = parts;
  const hasDay = BYDAY.length + BYMONTHDAY.length > 0;
  return (
    freq === "YEARLY" &&
    Object.keys(others).length === 0 &&
    BYMONTH.length <= 1 &&
    (BYMONTH.length === 1 || !hasDay) &&
    BYDAY.length <= 1 &&
    // A program may write the second Sunday as the one from the 8th to the 14th.
    BYMONTHDAY.length <= (BYDAY.length === 1 ? DAYS_OF_A_WEEK : 1)
  );
}

/** @param offset such as `+01:00` */
function secondsOf(offset: string): number {
  return (
    Temporal.Instant.from(`1970-01-01T00:00:00${offset}`).epochMilliseconds /
    -1000
  );
}
