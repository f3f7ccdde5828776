import assert from "node:assert/strict";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

/** An event as two parsers read it. */
export type ReadEvent = {
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly allDay: boolean;
  /** An instant, by the rules in the file itself, or a day. */
  readonly start: string;
  readonly end: string | undefined;
  readonly properties: ReadonlyMap<string, readonly string[]>;
};

export type ReadCalendar = {
  readonly properties: ReadonlyMap<string, readonly string[]>;
  readonly zones: readonly string[];
  readonly events: readonly ReadEvent[];
};

/**
 * Reads an iCalendar text with ical.js, which computes times by the `VTIMEZONE`
 * of the file, and with node-ical, which computes them by the name of the zone.
 * Both must find the same.
 */
export function readCalendar(text: string): ReadCalendar {
  assertWireForm(text);
  const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
  assert.equal(root.name, "vcalendar");
  const events = root.getAllSubcomponents("vevent").map(toRead);
  const found = Object.values(nodeIcal.sync.parseICS(text)).filter(
    (it) => it?.type === "VEVENT",
  );
  assert.equal(found.length, events.length);
  for (const event of events) {
    const same = found.find(({ uid }) => uid === event.uid);
    assert.ok(same, `node-ical finds no ${event.uid}`);
    for (const name of ["summary", "description", "location"] as const)
      assertSameText(same[name], event[name]);
    assert.equal(same.datetype === "date", event.allDay);
    if (event.allDay) continue;
    assert.equal(same.start.toISOString(), event.start);
    if (event.end) assert.equal(same.end?.toISOString(), event.end);
  }
  return {
    properties: propertiesOf(root),
    zones: root
      .getAllSubcomponents("vtimezone")
      .map((zone) => String(zone.getFirstPropertyValue("tzid"))),
    events,
  };
}

/** But for backslashes: node-ical takes an escaped one before an n for a line end. */
function assertSameText(one: unknown = "", other: string): void {
  if (!other.includes("\\"))
    assert.ok(one === other, `not the same: ${other.slice(0, 200)}`);
}

/** Lines end in CRLF, have at most 75 octets, and no other control characters. */
function assertWireForm(text: string): void {
  assert.ok(text.endsWith("END:VCALENDAR\r\n"));
  for (const line of text.slice(0, -2).split("\r\n")) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.ok(line.isWellFormed(), line);
    assert.doesNotMatch(line, /[^\P{Cc}\t]/u, JSON.stringify(line));
  }
}

function toRead(event: ICAL.Component): ReadEvent {
  const textOf = (name: string) =>
    String(event.getFirstPropertyValue(name) ?? "");
  const start = event.getFirstPropertyValue("dtstart");
  const end = event.getFirstPropertyValue("dtend");
  assert.ok(start instanceof ICAL.Time);
  const written = (time: ICAL.Time) =>
    time.isDate ? time.toString() : time.toJSDate().toISOString();
  return {
    uid: textOf("uid"),
    summary: textOf("summary"),
    description: textOf("description"),
    location: textOf("location"),
    allDay: start.isDate,
    start: written(start),
    end: end instanceof ICAL.Time ? written(end) : undefined,
    properties: propertiesOf(event),
  };
}

/** The lines by their names, unfolded. */
function propertiesOf(component: ICAL.Component): Map<string, string[]> {
  const byName = Map.groupBy(component.getAllProperties(), ({ name }) => name);
  return new Map(
    [...byName].map(([name, all]) => [
      name,
      all.map((property) => property.toICALString()),
    ]),
  );
}
