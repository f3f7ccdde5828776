import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ical } from "../../src/lib/icalendar/libraries.ts";
import { CalendarProgram } from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { CalendarRecord, EventRecord } from "../support/server/wire.ts";

/** Files as programs publish them, each in its own shape. */
const FOLDER = path.join(import.meta.dirname, "../support/calendars");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".ics"));

/** When the events of each file begin, by their names. */
const STARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "apple.ics": {
    // The night after the end of summer time in the south.
    "Swim 🏊‍♀️": "2027-04-03T23:00:00.000Z",
    "Wake up": "2027-03-10T06:30:00.000Z",
  },
  "exchange.ics": {
    "Night call": "2027-01-14T22:00:00.000Z",
    "Revue mensuelle": "2027-02-08T13:00:00.000Z",
  },
  "google.ics": {
    Basketball: "2027-03-02T23:30:00.000Z",
    "House by the lake": "2027-07-04",
  },
  "nextcloud.ics": { Maifest: "2027-05-01" },
  "old.ics": {
    "A day without an end": "2027-03-11",
    "Old, but good": "2027-03-10T09:00:00.000Z",
  },
  "outlook.ics": {
    Urlaub: "2027-03-12",
    // The day after summer time begins.
    "Wöchentliche Runde": "2027-03-29T07:00:00.000Z",
  },
  "thunderbird.ics": { Chorprobe: "2027-03-22T18:30:00.000Z" },
};

/** As it is written on the wire; one of them has the older form, and begins with a mark. */
function textOf(name: string): string {
  const text = readFileSync(path.join(FOLDER, name), "utf8");
  return name === "old.ics" ? `\uFEFF${text}` : text.replaceAll("\n", "\r\n");
}

const parse = (text: string) =>
  new (ical().Component)(
    ical().parse(text.replace(/^\uFEFF/, "")) as unknown[],
  );

/** What the file says of each event, without what an edit of its name changes. */
function eventsIn(texts: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const event of texts.flatMap((it) =>
    parse(it).getAllSubcomponents("vevent"),
  )) {
    const uid = String(event.getFirstPropertyValue("uid"));
    const written = event
      .getAllProperties()
      .filter(({ name }) => !EDITED.has(name))
      .map((it) => it.toICALString())
      .sort();
    const alarms = event.getAllSubcomponents().map((it) => it.toString());
    const said = [...written, ...alarms].join("\n");
    found.set(uid, [...(found.get(uid) ?? []), said].sort());
  }
  return found;
}

const EDITED = new Set(["dtstamp", "last-modified", "sequence", "summary"]);

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const who = await kith().person();
    await who.put("/settings", { TimeZone: "Europe/Berlin" });
    const calendar = await who.post<CalendarRecord>("/calendar", { name: "c" });
    const program = new CalendarProgram(kith(), who.username);
    const home = await program.propfind(program.home, "<d:displayname/>", "1");
    const [, at = ""] =
      /<d:href>([^<]+\/[0-9a-f]{32}\/)<\/d:href>/.exec(home.text) ?? [];
    assert.notEqual(at, "", home.text);
    return { who, calendar, program, at };
  };
  const readAll = async (program: CalendarProgram, at: string) => {
    const { changes } = await program.sync(at);
    return Promise.all(
      changes.map(async ({ href }) => {
        const { status, text } = await program.send("GET", href);
        assert.equal(status, 200, href);
        return { href, text };
      }),
    );
  };

  for (const name of FILES)
    test(`${name} goes in and comes out without a loss, and through an edit`, async () => {
      const { who, calendar, program, at } = await somebody();
      const file = new FormData();
      const text = textOf(name);
      file.append("file", new Blob([text], { type: "text/calendar" }), name);
      const url = `${kith().baseUrl}/api/v0/calendar/${calendar.ID}/import`;
      const imported = await fetch(url, {
        ...{ method: "POST", body: file },
        headers: { access_token: who.token },
      });
      assert.equal(imported.status, 200, await imported.clone().text());
      const { Refused } = (await imported.json()) as { Refused: unknown[] };
      assert.deepEqual(Refused, []);
      const events = await who.get<EventRecord[]>("/calendar/events", {
        ...{ calendarID: calendar.ID, limit: 100 },
      });
      assert.deepEqual(
        Object.fromEntries(
          events.map(({ Summary, Start }) => [Summary, Start]),
        ),
        STARTS[name],
      );
      const before = await readAll(program, at);
      assert.deepEqual(eventsIn(before.map((it) => it.text)), eventsIn([text]));
      // A program writes back what it has read, and gets the same.
      for (const { href, text: read } of before) {
        const { status } = await program.put(href, read);
        assert.equal(status, 204, href);
        assert.equal((await program.send("GET", href)).text, read);
      }
      // A name that is changed elsewhere changes nothing else.
      for (const { ID } of events)
        await who.put(`/calendar/events/${ID}`, { summary: "Renamed" });
      const after = await readAll(program, at);
      assert.deepEqual(eventsIn(after.map((it) => it.text)), eventsIn([text]));
      for (const { text: read } of after)
        assert.match(read, /^SUMMARY[;:].*Renamed\r$/m);
    });

  test("all programs of the corpus are there", () => {
    assert.deepEqual(FILES.toSorted(), Object.keys(STARTS));
  });
});
