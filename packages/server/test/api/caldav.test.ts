import assert from "node:assert/strict";
import { test } from "node:test";
import { createDAVClient } from "tsdav";
import {
  CalendarProgram,
  icalOf,
  NAMESPACES,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const person = await kith().person();
    return { person, program: new CalendarProgram(kith(), person.username) };
  };
  const clientOf = (username: string) =>
    createDAVClient({
      serverUrl: kith().baseUrl,
      credentials: { username, password: PASSWORD },
      authMethod: "Basic",
      defaultAccountType: "caldav",
    });

  test("tsdav finds the calendar of a new account, and writes, changes and deletes an event", async () => {
    const { person } = await somebody();
    const client = await clientOf(person.username);
    const [calendar, ...others] = await client.fetchCalendars();
    assert.ok(calendar);
    assert.deepEqual(others, []);
    assert.equal(calendar.displayName, "Calendar");
    const iCalString = icalOf("tsdav-1", "SUMMARY:Tea", "X-OWN:kept");
    const made = await client.createCalendarObject({
      calendar,
      iCalString,
      filename: "tea.ics",
    });
    assert.equal(made.status, 201, await made.text());
    const [object] = await client.fetchCalendarObjects({ calendar });
    assert.equal(object?.data, iCalString.trim());
    assert.equal(object.etag, made.headers.get("etag"));
    const data = iCalString.replace("Tea", "Coffee");
    const changed = await client.updateCalendarObject({
      calendarObject: { ...object, data },
    });
    assert.equal(changed.status, 204);
    const synced = await client.smartCollectionSync({
      collection: {
        ...calendar,
        objects: [object],
        objectMultiGet: client.calendarMultiGet,
      },
      method: "webdav",
      account: {
        accountType: "caldav",
        serverUrl: kith().baseUrl,
        homeUrl: kith().baseUrl,
      },
    });
    assert.equal(synced.objects?.length ?? 1, 1);
    const [now] = await client.fetchCalendarObjects({ calendar });
    assert.ok(now);
    assert.match(String(now.data), /Coffee/);
    assert.equal(
      (await client.deleteCalendarObject({ calendarObject: now })).status,
      204,
    );
    assert.deepEqual(await client.fetchCalendarObjects({ calendar }), []);
  });

  test("discovery takes no password, everything else does", async () => {
    for (const method of ["GET", "PROPFIND"]) {
      const found = await fetch(`${kith().baseUrl}/.well-known/caldav`, {
        ...{ method, redirect: "manual" },
      });
      assert.equal(found.status, 301);
      assert.equal(found.headers.get("location"), "/dav/");
    }
    const refused = await fetch(`${kith().baseUrl}/dav/`, {
      method: "PROPFIND",
    });
    assert.equal(refused.status, 401);
    assert.match(
      refused.headers.get("www-authenticate") ?? "",
      /^Basic realm="Kith"/,
    );
    const { program } = await somebody();
    for (const path of ["/", "/dav/"]) {
      const { status, text } = await program.propfind(
        path,
        "<d:current-user-principal/><d:nothing/>",
      );
      assert.equal(status, 207);
      assert.match(text, new RegExp(`/dav/principals/${program.username}/`));
      assert.match(text, /<d:nothing\/><\/d:prop><d:status>HTTP\/1.1 404/);
    }
    const options = await program.send("OPTIONS", "/dav/principals/");
    assert.match(options.headers.get("dav") ?? "", /calendar-access/);
    assert.match(options.headers.get("allow") ?? "", /PROPFIND.*PUT/);
  });

  test("an event made by a program is one of the pages and the API, and the other way round", async () => {
    const { person, program } = await somebody();
    const path = await program.makeCalendar("work");
    const ical = icalOf(
      "both-1",
      "SUMMARY:Long meeting",
      "DESCRIPTION:With\\, cake",
      "LOCATION:Room 1",
      "DTSTART;TZID=W. Europe Standard Time:20270310T100000",
      "DURATION:PT90M",
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM",
      "ATTENDEE;CN=Bob:mailto:bob@example.org",
    );
    const made = await program.put(`${path}a.ics`, ical);
    assert.equal(made.status, 201, made.text);
    const [event] = await person.get<EventRecord[]>("/calendar/events");
    assert.deepEqual(
      [event?.Summary, event?.Description, event?.Location, event?.Timezone],
      ["Long meeting", "With, cake", "Room 1", "Europe/Berlin"],
    );
    assert.deepEqual(
      [event?.Start, event?.End, event?.Public],
      ["2027-03-10T09:00:00.000Z", "2027-03-10T10:30:00.000Z", false],
    );
    await person.put(`/calendar/events/${event?.ID}`, { summary: "Meeting" });
    const edited = await program.send("GET", `${path}a.ics`);
    assert.match(edited.text, /SUMMARY:Meeting\r\n/);
    assert.match(edited.text, /TZID=W. Europe Standard Time/);
    assert.match(edited.text, /BEGIN:VALARM\r\n/);
    assert.match(edited.text, /mailto:bob@example.org/);
    assert.match(edited.text, /DURATION:PT90M|DURATION:PT1H30M/);
    assert.notEqual(edited.headers.get("etag"), made.headers.get("etag"));
    const added = await person.post<EventRecord>("/calendar/events", {
      ...{ summary: "Dinner", calendarID: event?.CalendarID ?? 0 },
      ...{ start: "2027-04-01T19:00", end: "2027-04-01T21:00" },
      ...{ timezone: "Europe/Berlin", announce: false },
    });
    const dinner = await program.send("GET", `${path}${added.Guid}.ics`);
    assert.equal(dinner.status, 200);
    assert.match(dinner.text, /DTSTART;TZID=Europe\/Berlin:20270401T190000/);
    assert.doesNotMatch(dinner.text, /METHOD/);
  });

  test("an all-day event of several days keeps its length", async () => {
    const { person, program } = await somebody();
    const path = await program.makeCalendar("days");
    const ical = icalOf(
      "days-1",
      "SUMMARY:Trip",
      "DTSTART;VALUE=DATE:20270410",
      "DTEND;VALUE=DATE:20270413",
    );
    await program.put(`${path}trip.ics`, ical);
    const [event] = await person.get<EventRecord[]>("/calendar/events");
    assert.deepEqual([event?.Start, event?.AllDay], ["2027-04-10", true]);
    assert.equal(event?.LastDay, "2027-04-12");
    await person.put(`/calendar/events/${event?.ID}`, {
      start: "2027-05-01",
    });
    const { text } = await program.send("GET", `${path}trip.ics`);
    assert.match(
      text,
      /DTSTART;VALUE=DATE:20270501\r\nDTEND;VALUE=DATE:20270504/,
    );
  });

  test("two programs that write the same object do not overwrite each other", async () => {
    const { program } = await somebody();
    const path = await program.makeCalendar("race");
    const first = await program.put(`${path}a.ics`, icalOf("race"), {
      "if-none-match": "*",
    });
    assert.equal(first.status, 201);
    const again = await program.put(`${path}a.ics`, icalOf("race"), {
      "if-none-match": "*",
    });
    assert.equal(again.status, 412);
    const etag = first.headers.get("etag") ?? "";
    const answers = await Promise.all(
      ["One", "Two"].map((name) =>
        program.put(`${path}a.ics`, icalOf("race", `SUMMARY:${name}`), {
          "if-match": etag,
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 412]);
    const late = await program.send("DELETE", `${path}a.ics`, {
      headers: { "if-match": etag },
    });
    assert.equal(late.status, 412);
  });

  test("a program learns what was changed and removed since its token", async () => {
    const { person, program } = await somebody();
    const path = await program.makeCalendar("sync");
    for (const name of ["a", "b", "c"])
      await program.put(`${path}${name}.ics`, icalOf(name));
    const all = await program.sync(path);
    assert.deepEqual(
      all.changes.map(({ href }) => href),
      ["a", "b", "c"].map((name) => `${path}${name}.ics`),
    );
    assert.deepEqual((await program.sync(path, all.token)).changes, []);
    await program.send("DELETE", `${path}a.ics`);
    await program.put(`${path}b.ics`, icalOf("b", "SUMMARY:New"));
    const news = await program.sync(path, all.token);
    assert.deepEqual(
      news.changes.map(({ href, status }) => [href, status]).sort(),
      [
        [`${path}a.ics`, 404],
        [`${path}b.ics`, undefined],
      ],
    );
    const part = await program.sync(path, "", 1);
    assert.deepEqual(
      part.changes.map(({ href, status }) => [href, status]),
      [
        [`${path}c.ics`, undefined],
        [path, 507],
      ],
    );
    const rest = await program.sync(path, part.token);
    assert.deepEqual(rest.changes, news.changes);
    await kith().server.prepare();
    // Removals are forgotten after a time: a token from before is too old.
    kith().clock.advance(91 * 24 * 3_600_000);
    await kith().settle();
    const old = await program.report(
      path,
      `<d:sync-collection ${NAMESPACES}><d:sync-token>${all.token}</d:sync-token><d:prop/></d:sync-collection>`,
    );
    assert.equal(old.status, 403);
    assert.match(old.text, /<d:valid-sync-token\/>/);
    assert.deepEqual((await program.sync(path, news.token)).changes, []);
    assert.ok(person);
  });

  test("other people's calendars do not exist", async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const path = await ann.program.makeCalendar("hers");
    await ann.program.put(`${path}a.ics`, icalOf("secret"));
    const nobody = path.replace(ann.program.username, "nobody");
    for (const method of [
      ...["GET", "PROPFIND", "PROPPATCH", "REPORT", "PUT", "DELETE"],
      ...["COPY", "MKCALENDAR", "MOVE"],
    ])
      for (const end of ["", "a.ics"]) {
        const body = bodyOf(method);
        const sent = {
          headers: { destination: `${bob.program.home}x/y.ics` },
          ...(body !== undefined && { body }),
        };
        const hers = await bob.program.send(method, path + end, sent);
        const none = await bob.program.send(method, nobody + end, sent);
        assert.deepEqual(
          [hers.status, hers.text],
          [none.status, none.text],
          `${method} ${end}`,
        );
        assert.equal(hers.status, 404, `${method} ${end}`);
      }
    const href = `<d:href>${path}a.ics</d:href>`;
    const own = await bob.program.makeCalendar("own");
    const asked = await bob.program.report(
      own,
      `<c:calendar-multiget ${NAMESPACES}><d:prop><c:calendar-data/></d:prop>${href}</c:calendar-multiget>`,
    );
    assert.equal(responsesIn(asked.text)[0]?.status, 404);
    assert.equal((await ann.program.send("GET", `${path}a.ics`)).status, 200);
  });

  test("properties of a calendar come back as they were written", async () => {
    const { person, program } = await somebody();
    const path = await program.makeCalendar("colours");
    const patch = (props: string) =>
      program.send("PROPPATCH", path, {
        body: `<d:propertyupdate ${NAMESPACES}><d:set><d:prop>${props}</d:prop></d:set></d:propertyupdate>`,
      });
    const set = await patch(
      "<d:displayname>休日 🎉 &lt;b&gt;</d:displayname><a:calendar-color>#FF0000FF</a:calendar-color>",
    );
    assert.match(set.text, /200 OK/);
    const read = await program.propfind(
      path,
      "<d:displayname/><a:calendar-color/><cs:getctag/>",
    );
    assert.match(read.text, /休日 🎉 &lt;b&gt;<\/d:displayname>/);
    assert.match(read.text, /#FF0000FF<\/a:calendar-color>/);
    const calendars = await person.get<{ Name: string }[]>("/calendar");
    assert.ok(calendars.some(({ Name }) => Name === "休日 🎉 <b>"));
    const refused = await patch(
      "<d:displayname>x</d:displayname><d:getetag>y</d:getetag>",
    );
    assert.match(refused.text, /403 Forbidden/);
    assert.match(refused.text, /424 Failed Dependency/);
    const nothing = await program.propfind(path, "");
    assert.match(nothing.text, /<\/d:href><d:status>HTTP\/1.1 200 OK/);
    await patch("<d:displayname></d:displayname>");
    const blank = await program.propfind(path, "<d:displayname/>");
    assert.match(blank.text, /<d:prop><d:displayname\/><\/d:prop>/);
  });

  test("a method that nothing takes is not allowed, rather than its resource gone", async () => {
    const { program } = await somebody();
    const path = await program.makeCalendar("locked");
    for (const method of ["LOCK", "UNLOCK", "ACL", "POST", "PATCH"]) {
      const { status, headers } = await program.send(method, path);
      assert.equal(status, 405, method);
      assert.match(headers.get("allow") ?? "", /PROPFIND/);
    }
  });

  test("objects move between calendars, and the last calendar stays", async () => {
    const { program } = await somebody();
    const [one, two] = [
      await program.makeCalendar("one"),
      await program.makeCalendar("two"),
    ];
    await program.put(`${one}a.ics`, icalOf("moving", "X-OWN:kept"));
    const { token } = await program.sync(one);
    const moved = await program.send("MOVE", `${one}a.ics`, {
      headers: { destination: `${kith().baseUrl}${two}b.ics` },
    });
    assert.equal(moved.status, 201, moved.text);
    assert.equal((await program.send("GET", `${one}a.ics`)).status, 404);
    assert.match((await program.send("GET", `${two}b.ics`)).text, /X-OWN:kept/);
    assert.equal((await program.sync(one, token)).changes[0]?.status, 404);
    assert.equal((await program.send("DELETE", one)).status, 204);
    assert.equal((await program.send("DELETE", two)).status, 403);
  });
});

function bodyOf(method: string): string | undefined {
  if (method === "PUT") return icalOf("x");
  if (method === "REPORT")
    return `<d:sync-collection ${NAMESPACES}><d:sync-token/><d:prop/></d:sync-collection>`;
  if (method === "PROPPATCH") return `<d:propertyupdate ${NAMESPACES}/>`;
  return undefined;
}
