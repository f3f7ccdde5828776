import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  dateIn,
  endOfDay,
  midnightIn,
  parseDatetime,
  readTimeZone,
} from "./datetime.ts";

describe("parseDatetime", () => {
  const accepted: readonly [written: string, instant: string][] = [
    ["2018-01-31T03:23:01Z", "2018-01-31T03:23:01.000Z"],
    ["2018-01-31t03:23:01z", "2018-01-31T03:23:01.000Z"],
    ["2018-01-31T03:23:01+01:00", "2018-01-31T02:23:01.000Z"],
    ["2018-01-31T03:23:01+0100", "2018-01-31T02:23:01.000Z"],
    ["2018-01-31T03:23:01-0530", "2018-01-31T08:53:01.000Z"],
    ["2018-01-31T03:23:01-00:00", "2018-01-31T03:23:01.000Z"],
    ["2018-01-31T03:23:01+23:59", "2018-01-30T03:24:01.000Z"],
    ["2018-01-31T03:23:01", "2018-01-31T03:23:01.000Z"],
    ["2018-01-31T03:23", "2018-01-31T03:23:00.000Z"],
    ["2018-01-31T03:23Z", "2018-01-31T03:23:00.000Z"],
    ["2018-01-31T03:23+02:00", "2018-01-31T01:23:00.000Z"],
    ["2018-01-31 03:23:01", "2018-01-31T03:23:01.000Z"],
    ["2018-01-31 03:23", "2018-01-31T03:23:00.000Z"],
    ["2018-01-31 03:23:01+0100", "2018-01-31T02:23:01.000Z"],
    ["2018-01-31T03:23:01.5Z", "2018-01-31T03:23:01.500Z"],
    ["2018-01-31T03:23:01.05Z", "2018-01-31T03:23:01.050Z"],
    ["2018-01-31T03:23:01.123456789+01:00", "2018-01-31T02:23:01.123Z"],
    ["2018-01-31T03:23:01.9999", "2018-01-31T03:23:01.999Z"],
    ["2018-01-31", "2018-01-31T00:00:00.000Z"],
    ["2016-02-29", "2016-02-29T00:00:00.000Z"],
    ["2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["0099-06-01T00:00:00Z", "0099-06-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["2018-12-31T23:30:00-01:00", "2019-01-01T00:30:00.000Z"],
  ];
  for (const [written, instant] of accepted)
    test(`takes ${written}`, () => {
      const date = written.slice(0, 10);
      assert.deepEqual(parseDatetime(written), { instant, date });
    });

  const refused = [
    "",
    " ",
    "now",
    "today",
    "0",
    "1517368981",
    "2018",
    "2018-01",
    "2018-1-1",
    "20180131",
    "20180131T032301Z",
    "18-01-31",
    "02018-01-31",
    "+002018-01-31",
    "-2018-01-31",
    "2018/01/31",
    "31.01.2018",
    "01/31/2018",
    "2018-00-10",
    "2018-13-10",
    "2018-01-00",
    "2018-01-32",
    "2018-02-29",
    "2018-02-30",
    "1900-02-29",
    "2018-04-31",
    "2018-06-31T00:00:00Z",
    "2018-01-31T24:00:00Z",
    "2018-01-31T25:00:00Z",
    "2018-01-31T03:60:00Z",
    "2018-01-31T03:23:60Z",
    "2018-01-31T03:23:61Z",
    "2018-01-31T3:23:01Z",
    "2018-01-31T03",
    "2018-01-31T03Z",
    "2018-01-31T",
    "2018-01-31Z",
    "2018-01-31+01:00",
    "2018-01-31T03:23:01+24:00",
    "2018-01-31T03:23:01+01:60",
    "2018-01-31T03:23:01+0160",
    "2018-01-31T03:23:01-99:00",
    "2018-01-31T03:23:01+1",
    "2018-01-31T03:23:01+01",
    "2018-01-31T03:23:01+1:00",
    "2018-01-31T03:23:01+01:0",
    "2018-01-31T03:23:01 0100",
    "2018-01-31T03:23:01 +01:00",
    "2018-01-31T03:23:01 Z",
    "2018-01-31T03:23:01ZZ",
    "2018-01-31T03:23:01UTC",
    "2018-01-31T03:23:01 Europe/Berlin",
    "2018-01-31T03:23:01.Z",
    "2018-01-31T03:23:01,5Z",
    "2018-01-31T03:23.5Z",
    "2018-01-31T03:23:01.1234567890Z",
    "2018-01-31  03:23:01",
    "2018-01-31\t03:23:01",
    "2018-01-31\n03:23:01",
    " 2018-01-31T03:23:01Z",
    "2018-01-31T03:23:01Z ",
    "2018-01-31T03:23:01Z\n",
    "2018-01-31T03:23:01Z;x",
    "x2018-01-31",
    "2018-01-31x",
    "0000-01-01",
    "0000-12-31T23:00:00-02:00",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:30:00-01:00",
    "10000-01-01",
    "２０１８-01-31",
    "2018-01-31T03:23:01−01:00",
    "2018-01-31T03:23:01Z\0",
    "Invalid Date",
    "NaN",
    "2018-01-31T03:23:01Z".repeat(1000),
  ];
  for (const written of refused)
    test(`refuses ${JSON.stringify(written.slice(0, 60))}`, () =>
      assert.equal(parseDatetime(written), undefined));

  test("takes every day of four years, and no other", () => {
    let days = 0;
    for (let year = 2015; year < 2019; year++)
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const pad = (n: number) => String(n).padStart(2, "0");
          if (parseDatetime(`${year}-${pad(month)}-${pad(day)}`)) days += 1;
        }
    assert.equal(days, 4 * 365 + 1);
  });
});

test("without an offset it is what the clock shows in the zone", () => {
  const cases = [
    ["2027-06-05 14:00", "Europe/Berlin", "2027-06-05T12:00:00.000Z"],
    ["2027-12-05 14:00", "Europe/Berlin", "2027-12-05T13:00:00.000Z"],
    ["2027-06-05T14:00Z", "Europe/Berlin", "2027-06-05T14:00:00.000Z"],
    ["2027-06-05T14:00+09:00", "Europe/Berlin", "2027-06-05T05:00:00.000Z"],
    // Skipped, and repeated.
    ["2027-03-28 02:30", "Europe/Berlin", "2027-03-28T01:30:00.000Z"],
    ["2027-10-31 02:30", "Europe/Berlin", "2027-10-31T00:30:00.000Z"],
    ["2027-06-05", "Asia/Tokyo", "2027-06-04T15:00:00.000Z"],
    ["2027-03-14", "America/Havana", "2027-03-14T05:00:00.000Z"],
  ] as const;
  for (const [written, zone, instant] of cases)
    assert.equal(parseDatetime(written, zone)?.instant, instant, written);
  assert.equal(parseDatetime("0001-01-01 00:00", "Asia/Tokyo"), undefined);
  const late = "9999-12-31 23:00";
  assert.equal(parseDatetime(late, "America/New_York"), undefined);
});

test("a day begins at its first instant, also where clocks skip midnight", () => {
  const days = [
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["America/Havana", "2026-03-08", "2026-03-08T05:00:00.000Z"],
    ["Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
  ] as const;
  for (const [zone, day, instant] of days) {
    assert.equal(midnightIn(zone, day), instant, zone);
    assert.equal(dateIn(zone, instant), day, zone);
    const before = new Date(Date.parse(instant) - 1).toISOString();
    assert.ok(dateIn(zone, before) < day, zone);
  }
});

test("a day ends where the next one begins, the last one a moment before", () => {
  assert.equal(endOfDay("2016-02-28"), "2016-02-29T00:00:00.000Z");
  assert.equal(endOfDay("2018-12-31"), "2019-01-01T00:00:00.000Z");
  assert.equal(endOfDay("9999-12-31"), "9999-12-31T23:59:59.999Z");
});

test("an instant is another day elsewhere", () => {
  const instant = "2018-01-31T23:30:00.000Z";
  assert.equal(dateIn("UTC", instant), "2018-01-31");
  assert.equal(dateIn("Europe/Berlin", instant), "2018-02-01");
  assert.equal(dateIn("America/New_York", instant), "2018-01-31");
  assert.equal(dateIn("Asia/Tokyo", "0999-12-31T20:00:00.000Z"), "1000-01-01");
});

test("the first and the last day are never left", () => {
  const first = "0001-01-01T00:00:00.000Z";
  assert.equal(dateIn("America/New_York", first), "0001-01-01");
  const last = "9999-12-31T23:59:59.999Z";
  assert.equal(dateIn("Asia/Tokyo", last), "9999-12-31");
});

test("time zones are those of the IANA database", () => {
  assert.equal(readTimeZone("Europe/Berlin"), "Europe/Berlin");
  assert.equal(readTimeZone("europe/BERLIN"), "Europe/Berlin");
  assert.equal(readTimeZone("UTC"), "UTC");
  assert.equal(readTimeZone("JAPAN"), "Japan");
  assert.equal(readTimeZone("Asia/Kolkata"), "Asia/Kolkata");
  assert.equal(
    readTimeZone("America/Argentina/Buenos_Aires"),
    "America/Argentina/Buenos_Aires",
  );
  assert.equal(readTimeZone("Etc/GMT+5"), "Etc/GMT+5");
  for (const none of [
    "",
    " UTC",
    "Europe/Atlantis",
    "+01:00",
    "GMT+1",
    "W. Europe Standard Time",
    "../etc/passwd",
    "Europe/Berlin\n",
    "x".repeat(10_000),
  ])
    assert.equal(readTimeZone(none), undefined, none.slice(0, 40));
});
