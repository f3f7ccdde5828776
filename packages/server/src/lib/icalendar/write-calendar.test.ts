import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readCalendar } from "./icalendar.fixture.ts";
import { CalendarWriter, type WrittenEvent } from "./write-calendar.ts";

const PLAIN: WrittenEvent = {
  uid: "1@kith.example",
  sequence: 0,
  createdAt: "2026-01-01T00:00:00.123Z",
  updatedAt: "2026-01-02T00:00:00.456Z",
  summary: "Party",
  description: "",
  location: "",
  categories: [],
  allDay: false,
  start: "2026-03-10T09:00:00.000Z",
  end: "2026-03-10T10:00:00.000Z",
  recurrence: null,
  timeZone: "Europe/Berlin",
  status: "CONFIRMED",
  isPublic: true,
  url: "https://kith.example/events/1.ics",
  attendees: [],
};

function write(...events: readonly Partial<WrittenEvent>[]): string {
  const writer = new CalendarWriter();
  for (const event of events) writer.add({ ...PLAIN, ...event });
  return writer.toString();
}

function readOne(event: Partial<WrittenEvent>) {
  const [only] = readCalendar(write(event)).events;
  assert.ok(only);
  return only;
}

test("an event has its identity, its version, and its place", () => {
  const text = write({
    sequence: 3,
    location: "Town; hall, 2",
    status: "CANCELLED",
    isPublic: false,
    categories: ["A,B", "C"],
  });
  const lines = text.split("\r\n");
  for (const line of [
    "VERSION:2.0",
    "PRODID:-//Kith//Kith 1.0//EN",
    "UID:1@kith.example",
    "DTSTAMP:20260102T000000Z",
    "CREATED:20260101T000000Z",
    "LAST-MODIFIED:20260102T000000Z",
    "SEQUENCE:3",
    "DTSTART;TZID=Europe/Berlin:20260310T100000",
    "DTEND;TZID=Europe/Berlin:20260310T110000",
    String.raw`LOCATION:Town\; hall\, 2`,
    String.raw`CATEGORIES:A\,B`,
    "STATUS:CANCELLED",
    "CLASS:PRIVATE",
    "URL:https://kith.example/events/1.ics",
  ])
    assert.ok(lines.includes(line), `${line} in\n${text}`);
  readCalendar(text);
});

test("a feed has its name and a time to fetch it again", () => {
  const writer = new CalendarWriter({
    name: "Work; and\r\nX-EVIL:1, play",
    refreshAfter: "PT1H",
  });
  const lines = writer.toString().split("\r\n");
  const name = String.raw`Work\; and\nX-EVIL:1\, play`;
  for (const line of [
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
  ])
    assert.ok(lines.includes(line), line);
  assert.deepEqual(readCalendar(writer.toString()).events, []);
});

describe("texts", () => {
  test("no text begins a property of its own", () => {
    const evil = (end: string) =>
      `x${end}ATTENDEE:mailto:victim@example.org${end}END:VEVENT${end}BEGIN:VALARM`;
    for (const end of [
      "\r\n",
      "\n",
      "\r",
      "\u0085",
      "\u2028",
      "\v",
      "\0\r\n ",
    ]) {
      const text = evil(end);
      const event = readOne({
        uid: text,
        summary: text,
        description: text,
        location: text,
        categories: [text],
        organizer: { name: text, address: "https://kith.example/people/1" },
      });
      assert.equal(
        event.properties.has("attendee"),
        false,
        JSON.stringify(end),
      );
      assert.match(event.summary, /^x\n/);
    }
  });

  test("quotes, colons and carets in a name stay in its parameter", () => {
    const name = `Ann "A" :;, ^n\nEND:VEVENT`;
    const address = "https://kith.example/people/1";
    const status = "ACCEPTED";
    const event = readOne({
      organizer: { name, address },
      attendees: [{ name, address, status }],
    });
    const [organizer] = event.properties.get("organizer") ?? [];
    assert.equal(
      organizer,
      `ORGANIZER;CN="Ann ^'A^' :;, ^^n END:VEVENT":${address}`,
    );
    const [attendee = ""] = event.properties.get("attendee") ?? [];
    assert.match(attendee, /;PARTSTAT=ACCEPTED:https:\/\//);
  });

  test("long texts are folded between characters, and any text returns", () => {
    const emojis = "👩🏽‍🚀ä,;\\n".repeat(8000);
    assert.ok(readOne({ description: emojis }).description === emojis);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        // ical.js and the house store no lone surrogates.
        const event = readOne({ description: text.toWellFormed() });
        assert.ok(event.description.length <= text.length);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        // A generated text may hold Unicode's separators of lines and paragraphs.
        const expected = `.${text}.`.replace(/[\u2028\u2029]/g, "\n");
        assert.equal(readOne({ location: `.${text}.` }).location, expected);
      }),
      { examples: [["\u2028"], ["a\u2029b"]] },
    );
  });
});

describe("days", () => {
  const days = (start: string, end: string | null, timeZone = "Asia/Tokyo") => {
    const event = readOne({ allDay: true, start, end, timeZone });
    assert.equal(event.allDay, true);
    return [event.start, event.end];
  };

  test("the end is the day after the last one, in every zone", () => {
    for (const zone of ["Pacific/Apia", "America/Los_Angeles", "UTC"]) {
      const one = ["2026-04-12", "2026-04-13"];
      assert.deepEqual(days("2026-04-12", null, zone), one);
      assert.deepEqual(days("2026-04-12", "2026-04-12", zone), one);
      assert.deepEqual(days("2026-12-31", "2027-02-28", zone), [
        "2026-12-31",
        "2027-03-01",
      ]);
    }
    assert.deepEqual(days("2026-04-12", "2026-04-01"), [
      "2026-04-12",
      "2026-04-13",
    ]);
  });

  test("the last day that can be written has no end", () => {
    assert.deepEqual(days("9999-12-31", null), ["9999-12-31", undefined]);
  });
});

describe("times", () => {
  const instants = (start: string, timeZone: string) => {
    const text = write({ start, end: null, timeZone });
    const [event] = readCalendar(text).events;
    assert.equal(event?.end, undefined);
    assert.equal(event?.start, start, `${timeZone}\n${text}`);
    return /DTSTART\S+(?=\r\nS)/.exec(text)?.[0];
  };

  test("the same moment in zones of both hemispheres, in summer and winter", () => {
    for (const zone of [
      "Europe/Berlin",
      "Europe/Dublin",
      "America/New_York",
      "America/St_Johns",
      "Australia/Sydney",
      "Australia/Lord_Howe",
      "America/Santiago",
      "Africa/Casablanca",
      "Asia/Kathmandu",
      "Pacific/Apia",
      "Etc/GMT+5",
    ])
      for (const day of [
        "1999-01-15",
        "2026-01-15",
        "2026-07-15",
        "2055-07-15",
      ])
        assert.match(
          instants(`${day}T12:00:00.000Z`, zone) ?? "",
          /^DTSTART;TZID=/,
        );
  });

  test("one calendar holds many zones and years", () => {
    const events = ["Europe/Berlin", "Australia/Sydney", "UTC"].flatMap(
      (zone) =>
        ["2024-07-01", "2025-01-01", "2026-07-01", "2031-12-24"].map((day) => ({
          uid: `${zone}${day}`,
          timeZone: zone,
          start: `${day}T10:00:00.000Z`,
          end: `${day}T23:00:00.000Z`,
        })),
    );
    const read = readCalendar(write(...events));
    assert.deepEqual(read.zones, ["Europe/Berlin", "Australia/Sydney"]);
    for (const { uid, start, end } of events) {
      const found = read.events.find((event) => event.uid === uid);
      assert.deepEqual([found?.start, found?.end], [start, end]);
    }
  });

  test("the hour that clocks show twice is written in UTC", () => {
    for (const [hour, written] of [
      ["00", "20261025T003000Z"],
      ["01", "20261025T013000Z"],
    ])
      assert.equal(
        instants(`2026-10-25T${hour}:30:00.000Z`, "Europe/Berlin"),
        `DTSTART:${written}`,
      );
    assert.equal(
      instants("2026-10-25T02:00:00.000Z", "Europe/Berlin"),
      "DTSTART;TZID=Europe/Berlin:20261025T030000",
    );
    assert.equal(
      instants("2026-03-29T01:00:00.000Z", "Europe/Berlin"),
      "DTSTART;TZID=Europe/Berlin:20260329T030000",
    );
  });

  test("times before standard time, and in UTC, are written in UTC", () => {
    for (const zone of ["UTC", "Etc/UTC"])
      assert.equal(
        instants("2026-03-10T09:00:00.000Z", zone),
        "DTSTART:20260310T090000Z",
      );
    assert.equal(
      instants("1850-03-10T09:00:00.000Z", "Europe/Berlin"),
      "DTSTART:18500310T090000Z",
    );
    assert.match(
      write({
        start: "0001-01-01T00:00:00.000Z",
        end: "9999-12-31T23:59:59.999Z",
        timeZone: "Asia/Tokyo",
      }),
      /DTSTART:00010101T000000Z\r\nDTEND:99991231T235959Z/,
    );
  });

  test("an end at the start is left out", () => {
    const { start } = PLAIN;
    assert.equal(readOne({ end: start }).end, undefined);
    assert.equal(
      readOne({ end: start.replace("000Z", "999Z") }).end,
      undefined,
    );
  });

  test("any moment in any zone is read by the rules in the file", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
        (zone, seconds) => {
          instants(new Date(seconds * 1000).toISOString(), zone);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
