import assert from "node:assert/strict";
import { test } from "node:test";
import { CalendarProgram, icalOf } from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

const RANGE = { from: "2027-03-01T00:00:00Z", to: "2027-04-15T00:00:00Z" };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const plan = (by: TestPerson, more: Record<string, string | boolean> = {}) =>
    by.post<EventRecord>("/calendar/events", {
      ...{ summary: "Choir", timezone: "Europe/Berlin", announce: false },
      ...{ start: "2027-03-10T19:00", end: "2027-03-10T21:00" },
      ...{ recurrence: "FREQ=WEEKLY;BYDAY=WE", ...more },
    });
  const occurrencesOf = async (by: TestPerson) => {
    const [event] = await by.get<EventRecord[]>("/calendar/events", RANGE);
    return event?.Recurrence?.Occurrences ?? [];
  };

  test("an event repeats by its rule, but for the dates taken out, until it no longer does", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    assert.equal(event.Recurrence?.Rule, "FREQ=WEEKLY;BYDAY=WE");
    const path = `/calendar/events/${event.ID}`;
    assert.deepEqual(
      (await occurrencesOf(ann)).map(({ At }) => At),
      [
        "2027-03-10T18:00:00.000Z",
        "2027-03-17T18:00:00.000Z",
        "2027-03-24T18:00:00.000Z",
        // Summer time began on the 28th.
        "2027-03-31T17:00:00.000Z",
        "2027-04-07T17:00:00.000Z",
        "2027-04-14T17:00:00.000Z",
      ],
    );
    const without = await ann.put<EventRecord>(path, {
      exdates: "2027-03-17T18:00:00Z, 2027-03-31T17:00:00.000Z",
    });
    assert.deepEqual(without.Recurrence?.Removed, [
      "2027-03-17T18:00:00.000Z",
      "2027-03-31T17:00:00.000Z",
    ]);
    // A date that the new rule does not name is no exception to it.
    const other = await ann.put<EventRecord>(path, {
      recurrence: "FREQ=WEEKLY;INTERVAL=3;COUNT=3",
    });
    assert.deepEqual(other.Recurrence, {
      Rule: "FREQ=WEEKLY;INTERVAL=3;COUNT=3",
      Removed: ["2027-03-31T17:00:00.000Z"],
    });
    assert.equal((await occurrencesOf(ann)).length, 1);
    const all = await ann.put<EventRecord>(path, { exdates: "" });
    assert.equal(all.Recurrence?.Removed, undefined);
    // Without exceptions a series can be moved.
    await ann.put(path, {
      start: "2027-03-11T17:00:00Z",
      end: "2027-03-11T18:00:00Z",
    });
    assert.equal((await occurrencesOf(ann))[1]?.At, "2027-04-01T16:00:00.000Z");
    const once = await ann.put<EventRecord>(path, { recurrence: "" });
    assert.equal(once.Recurrence, undefined);
  });

  test("one event of a series is changed or cancelled alone, and a program reads it", async () => {
    const ann = await kith().person();
    const program = new CalendarProgram(kith(), ann.username);
    const calendar = await program.makeCalendar("own");
    const ical = icalOf(
      "choir",
      ...["SUMMARY:Choir", "DTSTART;TZID=Europe/Berlin:20270310T190000"],
      ...["DTEND;TZID=Europe/Berlin:20270310T210000", "X-OWN:kept"],
      ...["RRULE:FREQ=WEEKLY;BYDAY=WE"],
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM",
    );
    await program.put(`${calendar}c.ics`, ical);
    const { token } = await program.sync(calendar);
    const [event] = await ann.get<EventRecord[]>("/calendar/events");
    const path = `/calendar/events/${event?.ID}`;
    await ann.put(path, {
      ...{ occurrence: "2027-03-17T18:00:00Z", summary: "Concert" },
      ...{ start: "2027-03-18T19:00:00Z", end: "2027-03-18T22:00:00Z" },
    });
    await ann.put(path, {
      occurrence: "2027-03-24T18:00:00Z",
      cancelled: true,
    });
    const found = await occurrencesOf(ann);
    assert.deepEqual(
      found.slice(0, 4).map((it) => [it.At, it.Start, it.Summary, it.Status]),
      [
        [
          "2027-03-10T18:00:00.000Z",
          "2027-03-10T18:00:00.000Z",
          "Choir",
          undefined,
        ],
        [
          "2027-03-17T18:00:00.000Z",
          "2027-03-18T19:00:00.000Z",
          "Concert",
          undefined,
        ],
        [
          "2027-03-24T18:00:00.000Z",
          "2027-03-24T18:00:00.000Z",
          "Choir",
          "cancelled",
        ],
        [
          "2027-03-31T17:00:00.000Z",
          "2027-03-31T17:00:00.000Z",
          "Choir",
          undefined,
        ],
      ],
    );
    const { text } = await program.send("GET", `${calendar}c.ics`);
    const [, master = "", concert = "", off = ""] = text.split("BEGIN:VEVENT");
    assert.match(master, /RRULE:FREQ=WEEKLY;BYDAY=WE/);
    assert.match(master, /SUMMARY:Choir/);
    for (const part of [master, concert, off]) {
      assert.match(part, /X-OWN:kept/);
      assert.match(part, /BEGIN:VALARM/);
    }
    assert.match(concert, /RECURRENCE-ID;TZID=Europe\/Berlin:20270317T190000/);
    assert.match(concert, /DTSTART;TZID=Europe\/Berlin:20270318T200000/);
    assert.match(concert, /SUMMARY:Concert/);
    assert.doesNotMatch(concert, /RRULE/);
    assert.match(off, /STATUS:CANCELLED/);
    assert.equal((await program.sync(calendar, token)).changes.length, 1);
    // The program may write it back as it is.
    const again = await program.put(`${calendar}c.ics`, text);
    assert.equal(again.status, 204, again.text);
    assert.deepEqual(await occurrencesOf(ann), found);
    await ann.put(path, {
      occurrence: "2027-03-24T18:00:00Z",
      cancelled: false,
    });
    await ann.put(path, { exdates: "2027-03-10T18:00:00Z" });
    const mended = await program.send("GET", `${calendar}c.ics`);
    assert.doesNotMatch(mended.text, /STATUS:CANCELLED/);
    assert.match(mended.text, /EXDATE;TZID=Europe\/Berlin:20270310T190000/);
    await ann.put(path, { recurrence: "" });
    const once = await program.send("GET", `${calendar}c.ics`);
    assert.doesNotMatch(once.text, /RRULE|EXDATE|RECURRENCE-ID/);
    assert.match(once.text, /X-OWN:kept/);
  });

  test("a series made here is whole in a program, day by day too", async () => {
    const ann = await kith().person();
    const program = new CalendarProgram(kith(), ann.username);
    await program.makeCalendar("own");
    const calendars =
      await ann.get<{ ID: number; Name: string }[]>("/calendar");
    const own = calendars.find(({ Name }) => Name === "own");
    const event = await ann.post<EventRecord>("/calendar/events", {
      ...{ summary: "Fast", start: "2027-03-10", all_day: true },
      ...{ recurrence: "FREQ=DAILY;COUNT=5", announce: false },
      calendarID: own?.ID ?? 0,
    });
    const path = `/calendar/events/${event.ID}`;
    await ann.put(path, { exdates: "2027-03-12" });
    await ann.put(path, { occurrence: "2027-03-13", summary: "Feast" });
    const { text } = await program.send(
      "GET",
      `${program.home}own/${event.Guid}.ics`,
    );
    assert.match(text, /RRULE:FREQ=DAILY;COUNT=5/);
    assert.match(text, /EXDATE;VALUE=DATE:20270312/);
    assert.match(text, /RECURRENCE-ID;VALUE=DATE:20270313/);
    assert.deepEqual(
      (await occurrencesOf(ann)).map(({ At, Summary }) => [At, Summary]),
      [
        ["2027-03-10", "Fast"],
        ["2027-03-11", "Fast"],
        ["2027-03-13", "Feast"],
        ["2027-03-14", "Fast"],
      ],
    );
  });

  test("impossible series are refused, and change nothing", async () => {
    const ann = await kith().person();
    const event = await plan(ann, { recurrence: "FREQ=WEEKLY;COUNT=4" });
    const single = await plan(ann, { recurrence: "" });
    const path = `/calendar/events/${event.ID}`;
    const refused = async (at: string, form: Record<string, string>) => {
      const { status } = await ann.call("PUT", at, { form });
      assert.equal(status, 400, JSON.stringify(form).slice(0, 200));
    };
    const before = await ann.get(path);
    for (const form of [
      { recurrence: "FREQ=HOURLY" },
      { recurrence: "every week" },
      { recurrence: "FREQ=DAILY;COUNT=2001" },
      { recurrence: "FREQ=DAILY;X=1" },
      { exdates: "2027-03-11T18:00:00Z" },
      { exdates: "soon" },
      {
        exdates: Array.from(
          { length: 1001 },
          () => "2027-03-10T18:00:00Z",
        ).join(),
      },
      { occurrence: "2027-03-11T18:00:00Z", summary: "x" },
      { occurrence: "2027-04-07T17:00:00Z", summary: "after the last" },
      { occurrence: "x", summary: "x" },
      { occurrence: "2027-03-10T18:00:00Z", recurrence: "" },
      { occurrence: "2027-03-10T18:00:00Z", end: "2027-03-09T18:00:00Z" },
      { cancelled: "true" },
    ])
      await refused(path, form);
    await refused(`/calendar/events/${single.ID}`, {
      occurrence: "2027-03-10T18:00:00Z",
      summary: "x",
    });
    assert.deepEqual(await ann.get(path), before);
    await ann.put(path, { exdates: "2027-03-17T18:00:00Z" });
    // Its exceptions are named by its times.
    await refused(path, { start: "2027-03-09T18:00:00Z" });
    await refused(path, {
      occurrence: "2027-03-17T18:00:00Z",
      summary: "taken out",
    });
  });
});
