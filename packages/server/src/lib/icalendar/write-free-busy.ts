import { timestamp } from "../time/clock.ts";
import { writeComponent, type Property } from "./ical-text.ts";
import type { Range } from "./occurrences.ts";
import { writeInUtc } from "./write-calendar.ts";

/** Writes busy times, joined where they touch, as a `VFREEBUSY`. */
export function writeFreeBusy(
  range: Range,
  busy: readonly Range[],
  now: Date,
): string {
  const periods = joined(busy).map(({ from, to }): Property => [
    "freebusy",
    {},
    "period",
    // The library writes a period from its two times.
    [writeInUtc(from), writeInUtc(to)] as unknown as string,
  ]);
  const at = (name: string, instant: string): Property => [
    name,
    {},
    "date-time",
    writeInUtc(instant),
  ];
  const stamp = timestamp(now);
  return writeComponent([
    "vcalendar",
    [
      ["version", {}, "text", "2.0"],
      ["prodid", {}, "text", "-//Kith//Kith 1.0//EN"],
    ],
    [
      [
        "vfreebusy",
        [
          at("dtstamp", stamp),
          at("dtstart", range.from),
          at("dtend", range.to),
          ["uid", {}, "text", `free-busy-${stamp}`],
          ...periods,
        ],
        [],
      ],
    ],
  ]);
}

function joined(busy: readonly Range[]): Range[] {
  const sorted = busy.toSorted((one, other) =>
    one.from < other.from ? -1 : 1,
  );
  const all: Range[] = [];
  for (const one of sorted) {
    const last = all.at(-1);
    if (last && one.from <= last.to)
      all[all.length - 1] = {
        from: last.from,
        to: one.to > last.to ? one.to : last.to,
      };
    else all.push(one);
  }
  return all;
}
