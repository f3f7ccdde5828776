import assert from "node:assert/strict";
import { test } from "node:test";
import { CalendarProgram, icalOf } from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const person = await kith().person();
    const program = new CalendarProgram(kith(), person.username);
    const one = await program.makeCalendar("one");
    const two = await program.makeCalendar("two");
    return { person, program, one, two };
  };
  const copyTo = (
    program: CalendarProgram,
    from: string,
    to: string,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    program.send("COPY", from, {
      headers: { destination: kith().baseUrl + to, ...headers },
    });

  test("a copy in another calendar is an event of its own, with all that the program wrote", async () => {
    const { person, program, one, two } = await somebody();
    const ical = icalOf("copied", "SUMMARY:Tea", "X-OWN:kept");
    await program.put(`${one}a.ics`, ical);
    const { token } = await program.sync(two);
    const copied = await copyTo(program, `${one}a.ics`, `${two}b.ics`);
    assert.equal(copied.status, 201, copied.text);
    assert.equal((await program.send("GET", `${two}b.ics`)).text, ical);
    assert.equal((await program.sync(two, token)).changes.length, 1);
    const events = await person.get<EventRecord[]>("/calendar/events");
    assert.deepEqual(
      events.map(({ Summary }) => Summary),
      ["Tea", "Tea"],
    );
    await program.send("DELETE", `${one}a.ics`);
    assert.equal((await program.send("GET", `${two}b.ics`)).status, 200);
  });

  test("a copy replaces what it may, and nothing else", async () => {
    const { program, one, two } = await somebody();
    await program.put(`${one}a.ics`, icalOf("same", "SUMMARY:New"));
    await program.put(`${two}a.ics`, icalOf("same", "SUMMARY:Old"));
    await program.put(`${two}b.ics`, icalOf("other"));
    const from = `${one}a.ics`;
    const refused: [string, number, Readonly<Record<string, string>>?][] = [
      // A calendar has a UID once, and an object keeps its own.
      [`${one}c.ics`, 403],
      [`${two}c.ics`, 403],
      [`${two}b.ics`, 403],
      [from, 403],
      [`${two}a.ics`, 412, { overwrite: "F" }],
      [`${two}a.ics`, 412, { "if-match": '"old"' }],
      [`${program.home}none/a.ics`, 409],
      [two, 403],
      ["/dav/calendars/other/one/a.ics", 403],
    ];
    for (const [to, status, headers] of refused) {
      const answer = await copyTo(program, from, to, headers);
      assert.equal(answer.status, status, `${to} ${answer.text}`);
    }
    const without = await program.send("COPY", from);
    assert.equal(without.status, 400);
    const missing = await copyTo(program, `${one}z.ics`, `${two}z.ics`);
    assert.equal(missing.status, 404);
    const old = await program.send("GET", `${two}a.ics`);
    assert.match(old.text, /SUMMARY:Old/);
    const replaced = await copyTo(program, from, `${two}a.ics`);
    assert.equal(replaced.status, 204);
    const { text } = await program.send("GET", `${two}a.ics`);
    assert.match(text, /SUMMARY:New/);
  });

  test("an object changes with its tag alone, also when a guest has another name, or leaves", async () => {
    const { person, program, one } = await somebody();
    const guest = await kith().person();
    const made = await person.post<EventRecord>("/calendar/events", {
      ...{ summary: "Dinner", start: "2027-04-01T19:00:00Z" },
      end: "2027-04-01T21:00:00Z",
    });
    await guest.put(`/calendar/events/${made.ID}/participation`, {
      status: "accepted",
    });
    const calendars =
      await person.get<{ ID: number; Name: string }[]>("/calendar");
    const calendar = calendars.find(({ Name }) => Name === "one");
    await person.put(`/calendar/events/${made.ID}`, {
      calendarID: calendar?.ID ?? 0,
    });
    const path = `${one}${made.Guid}.ics`;
    const before = await program.send("GET", path);
    const unfolded = before.text.replaceAll("\r\n ", "");
    assert.match(unfolded, new RegExp(`ATTENDEE;CN="?${guest.handle}`));
    await guest.put("/profile", { FirstName: "Eve", LastName: "Adams" });
    const renamed = await program.send("GET", path);
    assert.equal(renamed.text, before.text);
    assert.equal(renamed.headers.get("etag"), before.headers.get("etag"));
    const { token } = await program.sync(one);
    await guest.call("DELETE", "/users", { form: { password: PASSWORD } });
    await kith().settle();
    const left = await program.send("GET", path);
    assert.doesNotMatch(left.text, /ATTENDEE/);
    assert.notEqual(left.headers.get("etag"), before.headers.get("etag"));
    assert.equal((await program.sync(one, token)).changes.length, 1);
  });

  test("an app password opens calendars alone", async () => {
    const { person, one } = await somebody();
    const { Password } = await person.post<{ Password: string }>(
      "/app_passwords",
      { name: "Phone", password: PASSWORD },
    );
    const program = new CalendarProgram(kith(), person.username, Password);
    assert.equal((await program.send("GET", one)).status, 200);
    for (const path of [
      "/api/v0/aspects",
      "/api/v1/accounts/verify_credentials",
    ])
      assert.equal((await program.send("GET", path)).status, 401, path);
    const settings = await program.send("GET", "/settings");
    assert.notEqual(settings.status, 200);
    const token = await fetch(`${kith().baseUrl}/api/v0/aspects`, {
      headers: { authorization: `Bearer ${Password}` },
    });
    assert.equal(token.status, 401);
  });
});
