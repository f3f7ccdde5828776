import type ICAL from "ical.js";
import { ical } from "./libraries.ts";

/** More years than any rule of today needs to be told from another. */
const SAMPLED_YEARS = 2;
const FIRST_SAMPLED_YEAR = 2026;
/** Observances end with the next one; the last of those that do not recur is sampled for a while. */
const AFTER_LAST_DAYS = 200;
/** More than any program writes; those that recur have a change in each year since the 17th century. */
const MAX_OBSERVANCES = 500;
const MAX_RECURRING = 8;
const LAST_YEAR = 2200;

/** No zone changes twice within. */
const SAMPLED_EACH_DAYS = 7;
const ONE_DAY = { days: 1 };
const NOON = { hour: 12 };

const RULE_PARTS = ["BYMONTH", "BYDAY", "BYMONTHDAY"];
const MAX_RULE_VALUES = 7;

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
  static read(definition: ICAL.Component): EmbeddedZone | undefined {
    const observances = definition.getAllSubcomponents();
    if (observances.length === 0 || observances.length > MAX_OBSERVANCES)
      return undefined;
    try {
      const onsets = observances.map(readOnset);
      if (!onsets.every((it) => it !== undefined)) return undefined;
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
    if (!isFixed && !this.#onsets.some(({ recurs }) => recurs))
      return {
        // Its time of day may be that of another day elsewhere.
        from: first.local.toPlainDate().add({ days: 2 }),
        to: last.local.toPlainDate().add({ days: AFTER_LAST_DAYS }),
      };
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

/** Other rules could have millions of changes. */
function isYearly({ freq, parts }: ICAL.Recur): boolean {
  const all = Object.entries(parts);
  return (
    freq === "YEARLY" &&
    (all.length === 0 || parts.BYMONTH?.length === 1) &&
    all.every(
      ([name, values]) =>
        RULE_PARTS.includes(name) &&
        values !== undefined &&
        values.length <= MAX_RULE_VALUES,
    )
  );
}

/** @param offset such as `+01:00` */
function secondsOf(offset: string): number {
  return (
    Temporal.Instant.from(`1970-01-01T00:00:00${offset}`).epochMilliseconds /
    -1000
  );
}
