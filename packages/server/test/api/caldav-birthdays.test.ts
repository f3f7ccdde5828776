import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  icalOf,
  NAMESPACES,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { aspectOf } from "../support/scenes/planning.ts";
import { newUser } from "../support/pages/visit.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const born = async (Birthday: string, form = {}) => {
    const person = await kith().person();
    await person.put("/profile", { Birthday, FirstName: "Bea", ...form });
    return person;
  };
  const somebody = async () => {
    const person = await kith().person();
    const program = new CalendarProgram(kith(), person.username);
    return { person, program, path: `${program.home}contact_birthdays/` };
  };
  type Reader = Awaited<ReturnType<typeof somebody>>;
  const share = (one: TestPerson, other: TestPerson) => aspectOf(one, other);
  const read = async ({ program, path }: Reader) => {
    const { status, text } = await program.send("GET", path);
    return status === 404 ? undefined : text;
  };

  test("birthdays of contacts are a calendar that can only be read", async () => {
    const reader = await somebody();
    const bea = await born("1990-05-17");
    assert.equal(await read(reader), undefined);
    await share(reader.person, bea);
    await share(bea, reader.person);
    const { program, path } = reader;
    const looks = "<d:displayname/><d:current-user-privilege-set/>";
    const home = await program.propfind(program.home, looks, "1");
    const found = responsesIn(home.text).find(({ href }) => href === path);
    assert.ok(found, home.text);
    assert.match(found.xml, /<d:displayname>Birthdays<\/d:displayname>/);
    assert.doesNotMatch(found.xml, /<d:(write[\w-]*|bind|unbind)\/>/);
    const text = await read(reader);
    assert.match(text ?? "", /SUMMARY:Birthday of Bea\r\n/);
    assert.match(text ?? "", /DTSTART;VALUE=DATE:19900517\r\n/);
    assert.match(text ?? "", /RRULE:FREQ=YEARLY\r\n/);
    const members = await program.propfind(path, "<d:getetag/>", "1");
    const [, member] = responsesIn(members.text);
    assert.ok(member);
    const query = `<c:calendar-query ${NAMESPACES}><d:prop><d:getetag/></d:prop>
      <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
      <c:time-range start="{from}T120000Z" end="{to}T120000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`;
    for (const [from, to, count] of [
      ["20270516", "20270517", 1],
      ["20270518", "20270519", 0],
    ] as const) {
      const body = query.replace("{from}", from).replace("{to}", to);
      const answer = await program.report(path, body);
      assert.equal(responsesIn(answer.text).length, count, from);
    }
    const sent = { body: icalOf("x", "SUMMARY:X") };
    for (const [method, to] of [
      ["PUT", `${path}x.ics`],
      ["PUT", member.href],
      ["DELETE", member.href],
      ["DELETE", path],
    ] as const) {
      const answer = await program.send(
        method,
        to,
        method === "PUT" ? sent : {},
      );
      assert.equal(answer.status, 403, `${method} ${to}`);
      assert.match(answer.text, /<d:need-privileges/);
    }
    const stranger = new CalendarProgram(kith(), bea.username);
    assert.equal((await stranger.send("GET", path)).status, 404);
  });

  test("a birthday is shown as the profile shows it", async () => {
    const reader = await somebody();
    const bea = await born("1990-05-17");
    // Bea does not share with the reader.
    await share(reader.person, bea);
    assert.equal(await read(reader), undefined);
    await bea.put("/profile", { BirthdayFor: "everyone" });
    assert.ok(await read(reader));
    await bea.put("/profile", { BirthdayFor: "contacts" });
    assert.equal(await read(reader), undefined);
    await share(bea, reader.person);
    assert.ok(await read(reader));
    await bea.put("/profile", { BirthdayFor: "nobody" });
    assert.equal(await read(reader), undefined);
    await bea.put("/profile", { BirthdayFor: "everyone" });
    for (const [by, other] of [
      [bea, reader.person],
      [reader.person, bea],
    ] as const) {
      await by.post(`/people/${other.record.ID}/ignore`);
      const isIgnoredByReader = by === reader.person;
      assert.equal((await read(reader)) === undefined, isIgnoredByReader);
      await by.delete(`/people/${other.record.ID}/ignore`);
    }
    assert.ok(await read(reader));
    await bea.post(`/people/${reader.person.record.ID}/block`);
    assert.equal(await read(reader), undefined);
  });

  test("29 February is the last day of the month, and a token names all birthdays", async () => {
    const reader = await somebody();
    const { program, path } = reader;
    const bea = await born("2000-02-29", { BirthdayFor: "everyone" });
    await share(reader.person, bea);
    assert.match(
      (await read(reader)) ?? "",
      /RRULE:FREQ=YEARLY;(BYMONTH=2;BYMONTHDAY=-1|BYMONTHDAY=-1;BYMONTH=2)\r\n/,
    );
    const first = await program.sync(path);
    assert.equal(first.changes.length, 1);
    assert.deepEqual((await program.sync(path, first.token)).changes, []);
    await bea.put("/profile", { Birthday: "2000-02-28" });
    const body = `<d:sync-collection ${NAMESPACES}><d:sync-token>${first.token}</d:sync-token>
      <d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`;
    const answer = await program.report(path, body);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /<d:valid-sync-token\/>/);
    assert.equal((await program.sync(path)).changes.length, 1);
  });

  test("the month has the birthdays of contacts on their days", async () => {
    const ann = await newUser(kith().baseUrl, `ann${kind}`);
    const bea = await born("2000-02-29", { BirthdayFor: "everyone" });
    const { csrf_token } = ann;
    const month = async () => (await ann.get("/calendar?month=2027-02")).text;
    assert.doesNotMatch(await month(), /Birthday of/);
    await ann.post(`/people/${bea.record.Guid}/follow`, { csrf_token });
    const text = await month();
    assert.match(text, /Birthday of/);
    assert.match(text, /id="on-2027-02-28"/);
    assert.doesNotMatch(
      (await ann.get("/calendar?month=2027-03")).text,
      /id="on-2027-03-01"/,
    );
  });
});
