import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCalendar } from "./calendar-data.ts";
import { readTime } from "./object-time.ts";
import { zonesOf } from "./zone-names.ts";

type Observance = readonly [
  kind: "STANDARD" | "DAYLIGHT",
  start: string,
  from: string,
  to: string,
  rule?: string,
];

const HELSINKI: readonly Observance[] = [
  ["STANDARD", "16010101T040000", "+0300", "+0200", "BYDAY=-1SU;BYMONTH=10"],
  ["DAYLIGHT", "16010101T030000", "+0200", "+0300", "BYDAY=-1SU;BYMONTH=3"],
];
const SANTIAGO: readonly Observance[] = [
  ["STANDARD", "16010101T000000", "-0300", "-0400", "BYDAY=1SU;BYMONTH=4"],
  ["DAYLIGHT", "16010101T000000", "-0400", "-0300", "BYDAY=1SU;BYMONTH=9"],
];

/** The zone in which a time of an event is read, and its instant. */
function read(
  tzid: string,
  observances: readonly Observance[],
  local: string,
  fallback = "UTC",
): string {
  const zone = observances.flatMap(([kind, start, from, to, rule]) => [
    ...[`BEGIN:${kind}`, `DTSTART:${start}`],
    ...[`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
    ...(rule === undefined ? [] : [`RRULE:FREQ=YEARLY;${rule}`]),
    `END:${kind}`,
  ]);
  const root = parseCalendar(
    [
      ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//A program//EN"],
      ...["BEGIN:VTIMEZONE", `TZID:${tzid}`, ...zone, "END:VTIMEZONE"],
      ...["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z"],
      `DTSTART;TZID="${tzid}":${local}`,
      ...["END:VEVENT", "END:VCALENDAR", ""],
    ].join("\r\n"),
    Infinity,
  );
  const start = root
    .getFirstSubcomponent("vevent")
    ?.getFirstProperty("dtstart");
  assert.ok(start);
  const time = readTime(start, zonesOf(root, fallback));
  return `${time.zone} ${time.instantIn(fallback)}`;
}

const own = "Customized Time Zone";

test("a zone of an unknown name is the one with its rules, not one with its offsets", () => {
  for (const [local, instant] of [
    // Cairo changes on other days.
    ["20260410T100000", "2026-04-10T07:00:00.000Z"],
    ["20261027T100000", "2026-10-27T08:00:00.000Z"],
  ] as const) {
    assert.equal(read(own, HELSINKI, local).split(" ")[1], instant);
    assert.equal(
      read(own, HELSINKI, local, "Europe/Kyiv").split(" ")[0],
      "Europe/Kyiv",
    );
  }
});

test("of several zones with the same rules, the one that the name mentions is taken", () => {
  const name = "(UTC+02:00) Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius";
  assert.equal(
    read(name, HELSINKI, "20260410T100000"),
    "Europe/Helsinki 2026-04-10T07:00:00.000Z",
  );
});

test("summer time in the south is no summer time in the north", () => {
  for (const [local, instant] of [
    ["20260410T100000", "2026-04-10T14:00:00.000Z"],
    ["20270115T100000", "2027-01-15T13:00:00.000Z"],
  ] as const)
    assert.equal(read(own, SANTIAGO, local), `America/Santiago ${instant}`);
});

test("times of rules that no zone has keep their instants", () => {
  const fixed: Observance[] = [
    ["STANDARD", "16010101T000000", "+0517", "+0517"],
  ];
  assert.equal(
    read(own, fixed, "20260410T100000", "Europe/Berlin"),
    "Europe/Berlin 2026-04-10T04:43:00.000Z",
  );
  const indian: Observance[] = [
    ["STANDARD", "20000101T020000", "+0630", "+0530", "BYDAY=-1SU;BYMONTH=10"],
    ["DAYLIGHT", "20000101T020000", "+0530", "+0630", "BYDAY=-1SU;BYMONTH=3"],
  ];
  assert.match(
    read(own, indian, "20260410T100000"),
    / 2026-04-10T03:30:00\.000Z$/,
  );
  assert.match(
    read(own, indian, "20261210T100000"),
    / 2026-12-10T04:30:00\.000Z$/,
  );
});

test("a definition with the changes of one year alone is recognized", () => {
  const berlin: Observance[] = [
    ["DAYLIGHT", "20260329T020000", "+0100", "+0200"],
    ["STANDARD", "20261025T030000", "+0200", "+0100"],
  ];
  assert.equal(
    read(own, berlin, "20260701T100000", "Europe/Paris"),
    "Europe/Paris 2026-07-01T08:00:00.000Z",
  );
  // Before its first change, and in winter.
  assert.match(
    read(own, berlin, "20260201T100000"),
    / 2026-02-01T09:00:00\.000Z$/,
  );
});

test("of a definition without rules, its last years count", () => {
  const berlin: Observance[] = [
    ["STANDARD", "00010101T000000", "+0053", "+0100"],
    ["DAYLIGHT", "20260329T020000", "+0100", "+0200"],
    ["STANDARD", "20261025T030000", "+0200", "+0100"],
  ];
  const [, instant] = read(own, berlin, "20260701T100000").split(" ");
  assert.equal(instant, "2026-07-01T08:00:00.000Z");
  const far: Observance[] = [
    ["STANDARD", "00010101T000000", "+0100", "+0100"],
    ["STANDARD", "99990101T000000", "+0100", "+0100"],
  ];
  assert.match(read(own, far, "20260701T100000"), /2026-07-01T09:00:00\.000Z$/);
});

test("a definition that is malformed, or has rules of seconds, counts for nothing", () => {
  for (const observances of [
    [],
    [["STANDARD", "never", "+0100", "+0100"]],
    [["STANDARD", "20260101T000000", "much", "+0100"]],
    Array<Observance>(301).fill([
      "STANDARD",
      "20260101T000000",
      "+0100",
      "+0100",
    ]),
    [["STANDARD", "16010101T000000", "+0100", "+0100", "BYSECOND=1,2,3"]],
    [["STANDARD", "16010101T000000", "+0100", "+0100", "BYDAY=SU"]],
    Array<Observance>(9).fill([
      "STANDARD",
      "16010101T000000",
      "+0100",
      "+0100",
      "BYMONTH=1",
    ]),
  ] as Observance[][])
    assert.equal(
      read(own, observances, "20260410T100000", "Europe/Berlin"),
      "Europe/Berlin 2026-04-10T08:00:00.000Z",
    );
});
