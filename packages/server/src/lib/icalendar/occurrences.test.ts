import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import ICAL from "ical.js";
import { WorkBudget } from "../limits/work-budget.ts";
import { editObject } from "./objects/edit-object.ts";
import { parseObject } from "./objects/parse-object.ts";
import { listOccurrences, seriesOver } from "./occurrences.ts";

const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
const EVER = {
  from: "1990-01-01T00:00:00.000Z",
  to: "2100-01-01T00:00:00.000Z",
};

/** Rules on which every reading of RFC 5545 agrees, with the start among their dates. */
const rules = fc.oneof(
  fc.constant("FREQ=DAILY"),
  fc.constant("FREQ=MONTHLY"),
  fc.constant("FREQ=YEARLY"),
  fc
    .subarray([...DAYS], { minLength: 1 })
    .map((days) => `FREQ=WEEKLY;BYDAY=${days.join()}`),
  fc
    .tuple(fc.constantFrom(1, 2, 3, -1), fc.constantFrom(...DAYS))
    .map(([n, day]) => `FREQ=MONTHLY;BYDAY=${n}${day}`),
);

function byOther(rule: string, start: string, max: number): string[] {
  const iterator = ICAL.Recur.fromString(rule).iterator(
    ICAL.Time.fromDateTimeString(start.replace(/\.000Z$/, "Z")),
  );
  const found: string[] = [];
  for (let at = iterator.next(); at && found.length < max; at = iterator.next())
    found.push(at.toJSDate().toISOString());
  return found;
}

describe("series", () => {
  test("occurrences are those that another implementation finds", () => {
    fc.assert(
      fc.property(
        rules,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 0, max: 3000 }),
        (rule, interval, count, day) => {
          const first = new Date(
            Date.UTC(2020, 0, 1 + day, 9, 30),
          ).toISOString();
          const whole = `${rule};INTERVAL=${interval};COUNT=${count}`;
          // The first date of the rule is the start, as programs write it.
          const [start = first] = byOther(whole, first, 1);
          const series = {
            ...{ allDay: false, start, end: start, timeZone: "UTC" },
            recurrence: { rule: whole, added: [], removed: [], changed: [] },
          };
          const found = listOccurrences(series, EVER, 100);
          const expected = byOther(whole, start, 100);
          assert.deepEqual(
            found.map(({ at }) => at),
            expected,
          );
          const over = seriesOver(series, new WorkBudget(1000));
          assert.equal(over, expected.at(-1));
        },
      ),
    );
  });

  test("the clock of the zone shows the same time in summer and winter", () => {
    const series = {
      ...{ allDay: false, timeZone: "America/New_York" },
      start: "2027-03-10T14:00:00.000Z",
      end: "2027-03-10T15:00:00.000Z",
      recurrence: {
        rule: "FREQ=WEEKLY;UNTIL=20270324T130000Z",
        ...{ added: [], removed: [], changed: [] },
      },
    };
    assert.deepEqual(
      listOccurrences(series, EVER, 10).map(({ at }) => at),
      [
        "2027-03-10T14:00:00.000Z",
        "2027-03-17T13:00:00.000Z",
        "2027-03-24T13:00:00.000Z",
      ],
    );
  });
});

/** As programs write them: times in ways of their own, and much that is not known here. */
const CORPUS: Readonly<Record<string, readonly string[]>> = {
  Outlook: [
    "BEGIN:VTIMEZONE",
    "TZID:Customized Time Zone",
    "BEGIN:STANDARD",
    "DTSTART:16010101T030000",
    "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0100",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    "END:STANDARD",
    "BEGIN:DAYLIGHT",
    "DTSTART:16010101T020000",
    "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
    "END:DAYLIGHT",
    "END:VTIMEZONE",
    "BEGIN:VEVENT",
    "UID:040000008200E00074C5B7101A82E008",
    "DTSTAMP:20270101T000000Z",
    "DTSTART;TZID=Customized Time Zone:20270710T100000",
    "DTEND;TZID=Customized Time Zone:20270710T110000",
    "SUMMARY;LANGUAGE=de-de:Termin",
    "X-MICROSOFT-CDO-BUSYSTATUS:BUSY",
    "END:VEVENT",
  ],
  Thunderbird: [
    "BEGIN:VEVENT",
    "UID:thunderbird-1",
    "DTSTAMP:20270101T000000Z",
    "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270710T100000",
    "DTEND;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270710T110000",
    "SUMMARY:Termin",
    "X-MOZ-GENERATION:3",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "TRIGGER:-PT15M",
    "DESCRIPTION:Mozilla",
    "END:VALARM",
    "END:VEVENT",
  ],
  Apple: [
    "BEGIN:VEVENT",
    "UID:apple-1",
    "DTSTAMP:20270101T000000Z",
    "DTSTART;TZID=Europe/Berlin:20270710T100000",
    "DURATION:PT1H",
    "SUMMARY:Termin",
    'X-APPLE-STRUCTURED-LOCATION;X-TITLE="A, B";VALUE=URI:geo:52.5,13.4',
    "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
    "END:VEVENT",
  ],
  Google: [
    "BEGIN:VEVENT",
    "UID:google-1@google.com",
    "DTSTAMP:20270101T000000Z",
    "DTSTART:20270710T080000Z",
    "DTEND:20270710T090000Z",
    "SUMMARY:Termin",
    "ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;CN=a@b.example;X-NUM-GUESTS=0:mailto:a@b.example",
    "X-GOOGLE-CONFERENCE:https://meet.example/abc",
    "END:VEVENT",
  ],
};

describe("objects of programs", () => {
  for (const [program, lines] of Object.entries(CORPUS))
    test(`${program}: the time is understood, and an edit loses nothing else`, () => {
      const text = [
        ...["BEGIN:VCALENDAR", "VERSION:2.0", `PRODID:${program}`],
        ...[...lines, "END:VCALENDAR", ""],
      ].join("\r\n");
      const { master } = parseObject(text, "Europe/Berlin");
      assert.equal(
        master.start.instantIn("Europe/Berlin"),
        "2027-07-10T08:00:00.000Z",
      );
      assert.equal(
        master.end?.instantIn("Europe/Berlin"),
        "2027-07-10T09:00:00.000Z",
      );
      const before = {
        ...{ summary: "Termin", description: "", location: "", allDay: false },
        start: "2027-07-10T08:00:00.000Z",
        ...{ end: "2027-07-10T09:00:00.000Z", timeZone: "Europe/Berlin" },
        recurrence: null,
      };
      const edited = editObject(
        text,
        before,
        { ...before, description: "Neu" },
        "2027-02-01T00:00:00.000Z",
      ).replaceAll("\r\n ", "");
      for (const line of lines)
        if (!line.startsWith("DTSTAMP"))
          assert.ok(edited.includes(`${line}\r\n`), `${line}\n${edited}`);
      assert.match(edited, /DESCRIPTION:Neu\r\n/);
    });
});

test("a day that has begun overlaps the rest of it", () => {
  const recurrence = {
    rule: "FREQ=DAILY",
    added: [],
    removed: [],
    changed: [],
  };
  const days = (start: string, end: string | null) =>
    listOccurrences(
      { allDay: true, start, end, timeZone: "UTC", recurrence },
      { from: "2026-05-05T08:00:00.000Z", to: "2026-05-05T09:00:00.000Z" },
      10,
    ).map((it) => it.start);
  assert.deepEqual(days("2026-05-01", null), ["2026-05-05"]);
  assert.deepEqual(days("2026-05-01", "2026-05-02"), [
    "2026-05-04",
    "2026-05-05",
  ]);
});
