import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  icalOf,
  NAMESPACES,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

const WEEKLY = [
  "SUMMARY:Choir",
  "DTSTART;TZID=Europe/Berlin:20270310T190000",
  "DTEND;TZID=Europe/Berlin:20270310T210000",
  "RRULE:FREQ=WEEKLY;BYDAY=WE",
  "EXDATE;TZID=Europe/Berlin:20270324T190000",
];

const OVERRIDE = [
  "END:VEVENT",
  ...["BEGIN:VEVENT", "UID:choir", "DTSTAMP:20270101T000000Z"],
  "RECURRENCE-ID;TZID=Europe/Berlin:20270331T190000",
  "DTSTART;TZID=Europe/Berlin:20270401T200000",
  "DTEND;TZID=Europe/Berlin:20270401T210000",
  "SUMMARY:Choir on Thursday",
];

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const person = await kith().person();
    const program = new CalendarProgram(kith(), person.username);
    const path = await program.makeCalendar("own");
    return { person, program, path };
  };
  const query = async (
    program: CalendarProgram,
    path: string,
    filter: string,
    data = "<c:calendar-data/>",
  ) => {
    const answer = await program.report(
      path,
      `<c:calendar-query ${NAMESPACES}><d:prop>${data}</d:prop><c:filter><c:comp-filter name="VCALENDAR">${filter}</c:comp-filter></c:filter></c:calendar-query>`,
    );
    return { ...answer, found: responsesIn(answer.text) };
  };
  const during = (start: string, end?: string) =>
    `<c:comp-filter name="VEVENT"><c:time-range start="${start}"${end ? ` end="${end}"` : ""}/></c:comp-filter>`;

  test("a range finds a series by any of its instances, and by no other time", async () => {
    const { program, path } = await somebody();
    const ical = icalOf("choir", ...WEEKLY, ...OVERRIDE);
    assert.equal((await program.put(`${path}c.ics`, ical)).status, 201);
    const counts: [string, string, number][] = [
      ["20300109T180000Z", "20300109T183000Z", 1],
      ["20300110T000000Z", "20300111T000000Z", 0],
      // The removed one, and the one that was moved to the day after.
      ["20270324T000000Z", "20270325T000000Z", 0],
      ["20270331T000000Z", "20270401T000000Z", 0],
      ["20270401T170000Z", "20270401T190000Z", 1],
      ["20270301T000000Z", "20270310T180000Z", 0],
    ];
    for (const [start, end, count] of counts) {
      const { found } = await query(program, path, during(start, end));
      assert.equal(found.length, count, start);
    }
    const open = await query(program, path, during("20350101T000000Z"));
    assert.equal(open.found.length, 1);
  });

  test("expanded instances are in UTC, each with its name in the series", async () => {
    const { program, path } = await somebody();
    const ical = icalOf("choir", ...WEEKLY, ...OVERRIDE);
    await program.put(`${path}c.ics`, ical);
    const { text } = await query(
      program,
      path,
      during("20270310T000000Z", "20270410T000000Z"),
      '<c:calendar-data><c:expand start="20270310T000000Z" end="20270410T000000Z"/></c:calendar-data>',
    );
    const [, data = ""] =
      /<c:calendar-data>(.*?)<\/c:calendar-data>/s.exec(text) ?? [];
    const events = data.replaceAll("&#13;", "").split("BEGIN:VEVENT").slice(1);
    const valueIn = (event: string, name: string) =>
      new RegExp(`^${name}:(.*)$`, "m").exec(event)?.[1];
    assert.deepEqual(
      events.map((event) =>
        ["DTSTART", "RECURRENCE-ID", "SUMMARY"].map((name) =>
          valueIn(event, name),
        ),
      ),
      [
        ["20270310T180000Z", "20270310T180000Z", "Choir"],
        ["20270317T180000Z", "20270317T180000Z", "Choir"],
        // Summer time began on the 28th.
        ["20270401T180000Z", "20270331T170000Z", "Choir on Thursday"],
        ["20270407T170000Z", "20270407T170000Z", "Choir"],
      ],
    );
    assert.doesNotMatch(data, /RRULE|VTIMEZONE/);
  });

  test("the API lists the occurrences of a series, and keeps its rule when its text changes", async () => {
    const { person, program, path } = await somebody();
    const ical = icalOf("choir", ...WEEKLY, ...OVERRIDE);
    await program.put(`${path}c.ics`, ical);
    const range = {
      from: "2027-03-20T00:00:00Z",
      to: "2027-04-10T00:00:00Z",
    };
    const [event, ...others] = await person.get<EventRecord[]>(
      "/calendar/events",
      range,
    );
    assert.deepEqual(others, []);
    assert.equal(event?.Recurrence?.Rule, "FREQ=WEEKLY;BYDAY=WE");
    assert.deepEqual(
      event.Recurrence.Occurrences?.map(({ Start, Summary }) => [
        Start,
        Summary,
      ]),
      [
        ["2027-04-01T18:00:00.000Z", "Choir on Thursday"],
        ["2027-04-07T17:00:00.000Z", "Choir"],
      ],
    );
    await person.badRequest("PUT", `/calendar/events/${event.ID}`, {
      form: { start: "2027-03-10T19:00" },
    });
    await person.put(`/calendar/events/${event.ID}`, {
      description: "Bring tea",
    });
    const { text } = await program.send("GET", `${path}c.ics`);
    assert.match(text, /RRULE:FREQ=WEEKLY;BYDAY=WE/);
    assert.match(text, /DESCRIPTION:Bring tea/);
    assert.match(text, /SUMMARY:Choir on Thursday/);
    assert.match(text, /EXDATE;TZID=Europe\/Berlin:20270324T190000/);
  });

  test("queries look at properties, with and without letters of two cases", async () => {
    const { program, path } = await somebody();
    await program.put(
      `${path}a.ics`,
      icalOf("one", "SUMMARY:Tea", "CATEGORIES:PERSONAL,FAMILY"),
    );
    await program.put(`${path}b.ics`, icalOf("two", "SUMMARY:Work"));
    const by = (property: string) =>
      query(
        program,
        path,
        `<c:comp-filter name="VEVENT">${property}</c:comp-filter>`,
      );
    const counts: [string, number][] = [
      [
        '<c:prop-filter name="UID"><c:text-match>one</c:text-match></c:prop-filter>',
        1,
      ],
      [
        '<c:prop-filter name="SUMMARY"><c:text-match>TEA</c:text-match></c:prop-filter>',
        1,
      ],
      [
        '<c:prop-filter name="SUMMARY"><c:text-match collation="i;octet">TEA</c:text-match></c:prop-filter>',
        0,
      ],
      [
        '<c:prop-filter name="SUMMARY"><c:text-match negate-condition="yes">tea</c:text-match></c:prop-filter>',
        1,
      ],
      [
        '<c:prop-filter name="CATEGORIES"><c:is-not-defined/></c:prop-filter>',
        1,
      ],
      [
        '<c:prop-filter name="CATEGORIES"><c:text-match>FAMILY</c:text-match></c:prop-filter>',
        1,
      ],
      [
        '<c:prop-filter name="CATEGORIES"><c:text-match>personal</c:text-match></c:prop-filter>',
        0,
      ],
      [
        '<c:prop-filter name="CATEGORIES"><c:text-match collation="i;ascii-casemap">personal</c:text-match></c:prop-filter>',
        1,
      ],
      ['<c:comp-filter name="VALARM"><c:is-not-defined/></c:comp-filter>', 2],
      ['<c:comp-filter name="VALARM"/>', 0],
    ];
    for (const [filter, count] of counts)
      assert.equal((await by(filter)).found.length, count, filter);
    const tasks = await query(program, path, '<c:comp-filter name="VTODO"/>');
    assert.deepEqual(tasks.found, []);
    const refused = await by(
      '<c:prop-filter name="SUMMARY"><c:text-match collation="i;own">x</c:text-match></c:prop-filter>',
    );
    assert.equal(refused.status, 403);
    assert.match(refused.text, /supported-collation/);
    for (const unknown of [
      "<c:colour/>",
      '<c:prop-filter name="SUMMARY"><c:colour/></c:prop-filter>',
    ]) {
      const { status, text } = await by(unknown);
      assert.equal(status, 403, unknown);
      assert.match(text, /supported-filter/);
    }
  });

  test("busy times leave out what is free or cancelled, and join what overlaps", async () => {
    const { program, path } = await somebody();
    await program.put(`${path}a.ics`, icalOf("a"));
    await program.put(
      `${path}b.ics`,
      icalOf("b", "DTSTART:20270310T093000Z", "DTEND:20270310T110000Z"),
    );
    await program.put(
      `${path}c.ics`,
      icalOf(
        "c",
        "DTSTART:20270310T150000Z",
        "DTEND:20270310T160000Z",
        "TRANSP:TRANSPARENT",
      ),
    );
    await program.put(
      `${path}d.ics`,
      icalOf(
        "d",
        "DTSTART:20270310T170000Z",
        "DTEND:20270310T180000Z",
        "STATUS:CANCELLED",
      ),
    );
    const { text } = await program.report(
      path,
      `<c:free-busy-query ${NAMESPACES}><c:time-range start="20270310T000000Z" end="20270311T000000Z"/></c:free-busy-query>`,
    );
    assert.match(text, /FREEBUSY:20270310T090000Z\/20270310T110000Z\r\n/);
    assert.equal([...text.matchAll(/^FREEBUSY/gm)].length, 1);
  });

  test("hostile bodies are refused, store nothing and take no time", async () => {
    const { program, path } = await somebody();
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><d:propfind xmlns:d="DAV:"><d:prop>&b;</d:prop></d:propfind>`;
    const deep = `<d:propfind xmlns:d="DAV:">${"<d:prop>".repeat(50)}${"</d:prop>".repeat(50)}</d:propfind>`;
    const many = `<d:propfind xmlns:d="DAV:"><d:prop>${"<d:a/>".repeat(30_000)}</d:prop></d:propfind>`;
    for (const body of [bomb, deep, many, "<", "<a>", "x"]) {
      const { status } = await program.send("PROPFIND", path, { body });
      assert.equal(status, 400, body.slice(0, 40));
    }
    const faults: [string, RegExp][] = [
      ["HAHA:YES", /valid-calendar-data/],
      [
        "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nEND:VCARD\r\n",
        /valid-calendar-data/,
      ],
      [
        icalOf("x").replaceAll("VEVENT", "VTODO"),
        /supported-calendar-component/,
      ],
      [
        icalOf("x").replace("BEGIN:VEVENT", "METHOD:REQUEST\r\nBEGIN:VEVENT"),
        /valid-calendar-object-resource/,
      ],
      [
        icalOf(
          "x",
          "END:VEVENT",
          "BEGIN:VEVENT",
          "UID:y",
          "DTSTART:20270101T000000Z",
        ),
        /valid-calendar-object-resource/,
      ],
      [icalOf("x", "RRULE:FREQ=SECONDLY"), /valid-calendar-data/],
      [icalOf("x", "RRULE:FREQ=DAILY;BYHOUR=1,2,3"), /valid-calendar-data/],
      [
        icalOf("x", "RRULE:FREQ=DAILY;INTERVAL=999999999"),
        /valid-calendar-data/,
      ],
      [icalOf("x", "DTSTART:99990101T000000Z"), /max-date-time/],
      [icalOf("x", "DTSTART:16000101T000000Z"), /min-date-time/],
      [icalOf("x", "RRULE:FREQ=DAILY;COUNT=2001"), /max-instances/],
      [icalOf("x", "DTSTART:20271399T000000Z"), /valid-calendar-data/],
      [`${"BEGIN:VEVENT\r\n".repeat(1000)}`, /valid-calendar-data/],
      [icalOf("x", `X-LONG:${"x".repeat(1_000_001)}`), /max-resource-size/],
    ];
    for (const [body, fault] of faults) {
      const answer = await program.put(`${path}x.ics`, body);
      assert.equal(answer.status, 403, `${body.slice(0, 200)} ${answer.text}`);
      assert.match(answer.text, fault, body.slice(0, 300));
    }
    const huge = await program.put(`${path}x.ics`, "x".repeat(10_000_000));
    assert.equal(huge.status, 413);
    // These match nothing for thousands of years, or everything.
    const rules = [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=YEARLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=29",
      "FREQ=DAILY;COUNT=2000",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300;COUNT=2000",
      `FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 366 }, (_, n) => n + 1).join()}`,
    ];
    for (const [n, rule] of rules.entries()) {
      const start = "DTSTART:16020101T000000Z";
      const body = icalOf(`rule-${n}`, start, `RRULE:${rule}`);
      const { status, text } = await program.put(`${path}r${n}.ics`, body);
      assert.equal(status, 201, text);
    }
    const { status } = await query(
      program,
      path,
      during("20270101T000000Z", "20280101T000000Z"),
      '<c:calendar-data><c:expand start="16010101T000000Z" end="99990101T000000Z"/></c:calendar-data>',
    );
    assert.equal(status, 207);
    const zone = icalOf("zone", "DTSTART;TZID=No/Where:20270310T100000");
    assert.equal((await program.put(`${path}z.ics`, zone)).status, 201);
    for (const name of ["%00", "a%2Fb.ics", "x".repeat(300)]) {
      const answer = await program.put(path + name, icalOf("name"));
      assert.ok(
        [400, 403, 404].includes(answer.status),
        `${name} ${answer.status}`,
      );
    }
  });

  test("names are decoded once, and UIDs are one per calendar", async () => {
    const { program, path } = await somebody();
    for (const [n, name] of [
      "a%250A.ics",
      "%E4%BC%91.ics",
      "A.ics",
      "a%20b@c.ics",
    ].entries()) {
      const made = await program.put(path + name, icalOf(`uid-${n}`));
      assert.equal(made.status, 201, name);
      assert.equal((await program.send("GET", path + name)).status, 200, name);
    }
    assert.equal((await program.send("GET", `${path}a.ics`)).status, 404);
    const taken = await program.put(`${path}other.ics`, icalOf("uid-0"));
    assert.equal(taken.status, 403);
    assert.match(taken.text, /no-uid-conflict><d:href>[^<]*a%250A.ics/);
  });

  test("an app password opens calendars until it is revoked; with a second factor it alone does", async () => {
    const { person } = await somebody();
    const made = await person.post<{ ID: number; Password: string }>(
      "/app_passwords",
      { name: "Phone", password: PASSWORD },
    );
    const asking = (password: string, name = person.username) =>
      new CalendarProgram(kith(), name, password)
        .send("PROPFIND", "/dav/", { headers: { depth: "0" } })
        .then(({ status }) => status);
    assert.equal(await asking(made.Password), 207);
    assert.equal(
      await asking(made.Password.replaceAll("-", "").toUpperCase()),
      207,
    );
    assert.equal(
      await asking(made.Password, person.handle.replace(/:\d+$/, "")),
      207,
    );
    assert.equal(await asking(PASSWORD), 207);
    assert.equal(await asking("wrong"), 401);
    assert.equal(await asking(made.Password, "nobody"), 401);
    const [listed] =
      await person.get<{ LastUsedAt?: string }[]>("/app_passwords");
    assert.ok(listed?.LastUsedAt);
    await kith().db.transaction((tx) =>
      tx
        .insertInto("second_factors")
        .values({
          user_id: person.record.UserID,
          ...{ secret_sealed: "x", last_step: 0 },
          ...{
            confirmed_at: "2027-01-01T00:00:00.000Z",
            created_at: "2027-01-01T00:00:00.000Z",
          },
        })
        .execute(),
    );
    assert.equal(await asking(PASSWORD), 401);
    assert.equal(await asking(made.Password), 207);
    await person.delete(`/app_passwords/${made.ID}`);
    assert.equal(await asking(made.Password), 401);
    const plain = await new CalendarProgram(
      kith(),
      person.username,
      made.Password,
    ).send("PROPFIND", "/dav/", { headers: { "x-forwarded-proto": "http" } });
    assert.equal(plain.status, 403);
  });
});
