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
import { aspectOf, plan, sharedCalendar } from "../support/scenes/planning.ts";
import type { SharedCalendarRecord } from "../support/server/wire.ts";

const LOOK =
  "<d:displayname/><d:owner/><d:current-user-privilege-set/><d:resourcetype/>";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const person = await kith().person();
    return { person, program: new CalendarProgram(kith(), person.username) };
  };

  /** The collections in a home, by their paths. */
  const homeOf = async (program: CalendarProgram) => {
    const { status, text } = await program.propfind(program.home, LOOK, "1");
    assert.equal(status, 207, text);
    return new Map(responsesIn(text).map(({ href, xml }) => [href, xml]));
  };
  const findShared = async (program: CalendarProgram) => {
    const home = await homeOf(program);
    const found = [...home].filter(([href]) => /\/shared-\w+\/$/.test(href));
    assert.ok(found.length <= 1);
    const [[path, xml] = [undefined, ""]] = found;
    return { path, xml };
  };
  const getShared = async (program: CalendarProgram) => {
    const { path, xml } = await findShared(program);
    assert.ok(path);
    return { path, xml };
  };

  const pair = async (write: boolean) => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { ID, Name } = await sharedCalendar(ann.person, bob.person, {
      write,
    });
    const own = await homeOf(ann.program);
    const [annPath] = [...own].find(([, xml]) => xml.includes(Name)) ?? [];
    assert.ok(annPath);
    const { path: bobPath } = await getShared(bob.program);
    return { ann, bob, id: ID, annPath, bobPath };
  };

  const syncFrom = (token: string) =>
    `<d:sync-collection ${NAMESPACES}><d:sync-token>${token}</d:sync-token>
      <d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`;
  const hrefsIn = async (program: CalendarProgram, path: string) => {
    const { text } = await program.propfind(path, "<d:getetag/>", "1");
    return responsesIn(text)
      .map(({ href }) => href)
      .filter((href) => href !== path);
  };
  const multiget = (program: CalendarProgram, path: string, href: string) =>
    program.report(
      path,
      `<c:calendar-multiget ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>
        <d:href>${href}</d:href></c:calendar-multiget>`,
    );

  test("an account that has moved changes no shared calendar, and deletes in it", async () => {
    const { bob, bobPath } = await pair(true);
    const path = `${bobPath}kept.ics`;
    assert.equal((await bob.program.put(path, icalOf("kept"))).status, 201);
    const { db } = kith();
    const elsewhere = await kith().person();
    await db.transaction(async (tx) => {
      await tx
        .updateTable("people")
        .set({ moved_to_id: elsewhere.record.ID })
        .where("id", "=", bob.person.record.ID)
        .execute();
    });
    const changed = icalOf("kept", "SUMMARY:Changed");
    assert.equal((await bob.program.put(path, changed)).status, 403);
    const other = `${bobPath}new.ics`;
    assert.equal((await bob.program.put(other, icalOf("new"))).status, 403);
    assert.equal((await bob.program.send("GET", other)).status, 404);
    assert.equal((await bob.program.send("DELETE", path)).status, 204);
  });

  test("a program of the reader finds the calendar with its owner, to be read only", async () => {
    const { ann, bob, annPath, bobPath } = await pair(false);
    const { xml } = await getShared(bob.program);
    assert.match(xml, /<d:displayname>Ours<\/d:displayname>/);
    assert.ok(xml.includes(`/dav/principals/${ann.person.username}/`));
    assert.match(xml, /<d:read\/>/);
    assert.doesNotMatch(xml, /<d:(write[\w-]*|bind|unbind)\/>/);
    const text = icalOf("tea", "SUMMARY:Tea", "X-OWN:kept");
    const put = await ann.program.put(`${annPath}tea.ics`, text);
    assert.equal(put.status, 201);
    const href = `${bobPath}tea.ics`;
    assert.deepEqual(await hrefsIn(bob.program, bobPath), [href]);
    const got = await bob.program.send("GET", href);
    assert.equal(got.text, text);
    assert.match((await multiget(bob.program, bobPath, href)).text, /X-OWN/);
    for (const [method, path, sent] of [
      ["PUT", href, { body: text.replace("Tea", "Mine") }],
      ["PUT", `${bobPath}new.ics`, { body: icalOf("new", "SUMMARY:New") }],
      ["DELETE", href, {}],
      ["DELETE", `${bobPath}none.ics`, {}],
    ] as const) {
      const refused = await bob.program.send(method, path, sent);
      assert.equal(refused.status, 403, `${method} ${path}`);
      assert.match(refused.text, /<d:need-privileges>/);
    }
    const destination = `${bob.program.home}x/tea.ics`;
    await bob.program.makeCalendar("x");
    const moved = await bob.program.send("MOVE", href, {
      headers: { destination },
    });
    assert.equal(moved.status, 403);
    assert.equal(
      (await ann.program.send("GET", `${annPath}tea.ics`)).text,
      text,
    );
    // The owner's own paths stay the owner's.
    for (const method of ["GET", "PROPFIND", "DELETE"])
      assert.equal((await bob.program.send(method, annPath)).status, 404);
  });

  test("somebody who may write puts and deletes events, but none that others are told of", async () => {
    const { ann, bob, id, annPath, bobPath } = await pair(true);
    const { xml } = await getShared(bob.program);
    for (const name of ["write-content", "bind", "unbind"])
      assert.ok(xml.includes(`<d:${name}/>`), name);
    const text = icalOf("new", "SUMMARY:By Bob", "X-BOB:1");
    const put = await bob.program.put(`${bobPath}new.ics`, text);
    assert.equal(put.status, 201, put.text);
    const got = await ann.program.send("GET", `${annPath}new.ics`);
    assert.equal(got.text, text);
    const taken = await bob.program.put(`${bobPath}other.ics`, text);
    assert.equal(taken.status, 403);
    assert.ok(taken.text.includes(`${bobPath}new.ics`), taken.text);
    const carl = await kith().person();
    const aspectID = await aspectOf(ann.person, carl);
    const feast = await plan(ann.person, { calendarID: id, summary: "Feast" });
    const secret = await plan(ann.person, { calendarID: id, aspectID });
    const [seen, ...others] = (await hrefsIn(bob.program, bobPath)).filter(
      (href) => !href.endsWith("new.ics"),
    );
    assert.equal(seen, `${bobPath}${feast.Guid}.ics`);
    assert.deepEqual(others, []);
    const privileges = await bob.program.propfind(seen, LOOK);
    assert.doesNotMatch(privileges.text, /<d:write/);
    for (const { Guid } of [feast, secret]) {
      const href = `${bobPath}${Guid}.ics`;
      const isSeen = Guid === feast.Guid;
      const { status } = await bob.program.send("GET", href);
      assert.equal(status, isSeen ? 200 : 404);
      const answer = await multiget(bob.program, bobPath, href);
      assert.equal(/HTTP\/1.1 404 /.test(answer.text), !isSeen);
      const again = await bob.program.put(href, icalOf(Guid, "SUMMARY:Mine"));
      assert.equal(again.status, 403, again.text);
      const gone = await bob.program.send("DELETE", href);
      assert.equal(gone.status, isSeen ? 403 : 404);
    }
    const removed = await bob.program.send("DELETE", `${bobPath}new.ics`);
    assert.equal(removed.status, 204);
    const left = await ann.program.send("GET", `${annPath}new.ics`);
    assert.equal(left.status, 404);
  });

  test("sync tokens tell readers what came, changed and vanished", async () => {
    const { ann, bob, id, annPath, bobPath } = await pair(false);
    const first = await bob.program.sync(bobPath);
    assert.deepEqual(first.changes, []);
    const path = `${annPath}tea.ics`;
    await ann.program.put(path, icalOf("tea", "SUMMARY:Tea"));
    const carl = await kith().person();
    const aspectID = await aspectOf(ann.person, carl);
    const secret = await plan(ann.person, { calendarID: id, aspectID });
    const second = await bob.program.sync(bobPath, first.token);
    const hrefs = second.changes.map(({ href, status }) => [href, status]);
    assert.deepEqual(hrefs, [[`${bobPath}tea.ics`, undefined]]);
    await ann.program.send("DELETE", path);
    const third = await bob.program.sync(bobPath, second.token);
    assert.deepEqual(
      third.changes.map(({ href, status }) => [href, status]),
      [[`${bobPath}tea.ics`, 404]],
    );
    // Not even the name of an event for others is told when it is removed.
    await ann.person.delete(`/calendar/events/${secret.ID}`);
    const asked = await bob.program.report(bobPath, syncFrom(third.token));
    assert.equal(asked.status, 403);
    assert.match(asked.text, /<d:valid-sync-token\/>/);
    assert.ok(!asked.text.includes(secret.Guid));
    const again = await bob.program.sync(bobPath);
    assert.deepEqual(again.changes, []);
    // The token of a calendar means nothing once the share has ended.
    const leave = (by: TestPerson) => by.delete(`/shared_calendars/${id}`);
    await leave(bob.person);
    assert.equal((await findShared(bob.program)).path, undefined);
    const ended = await bob.program.report(bobPath, syncFrom(again.token));
    assert.equal(ended.status, 404);
  });

  test("a share that ends takes the calendar out of the home, for each method", async () => {
    const { ann, bob, annPath, bobPath } = await pair(true);
    await ann.program.put(`${annPath}tea.ics`, icalOf("tea", "SUMMARY:Tea"));
    await ann.person.post(`/people/${bob.person.record.ID}/block`);
    const text = icalOf("x", "SUMMARY:X");
    for (const [method, path, status] of [
      ["PROPFIND", bobPath, 404],
      ["GET", bobPath, 404],
      ["GET", `${bobPath}tea.ics`, 404],
      ["DELETE", `${bobPath}tea.ics`, 404],
      ["DELETE", bobPath, 404],
      ["PUT", `${bobPath}x.ics`, 409],
    ] as const) {
      const sent = method === "PUT" ? { body: text } : {};
      const answer = await bob.program.send(method, path, sent);
      assert.equal(answer.status, status, `${method} ${path}`);
    }
    assert.equal((await findShared(bob.program)).path, undefined);
    const there = await ann.program.send("GET", `${annPath}tea.ics`);
    assert.equal(there.status, 200);
  });

  test("each reader gives the calendar a look of its own, and leaves it with DELETE", async () => {
    const { ann, bob, bobPath, annPath } = await pair(false);
    const patch = `<d:propertyupdate ${NAMESPACES}><d:set><d:prop>
      <d:displayname>Ann's</d:displayname><a:calendar-color>#ff0000ff</a:calendar-color>
      </d:prop></d:set></d:propertyupdate>`;
    const patched = await bob.program.send("PROPPATCH", bobPath, {
      body: patch,
    });
    assert.equal(patched.status, 207);
    assert.match(patched.text, /200 OK/);
    const props = "<d:displayname/><a:calendar-color/>";
    const his = await bob.program.propfind(bobPath, props);
    assert.match(his.text, /Ann's/);
    assert.match(his.text, /#ff0000ff/);
    const hers = await ann.program.propfind(annPath, props);
    assert.match(hers.text, /Ours/);
    assert.doesNotMatch(hers.text, /#ff0000ff/);
    assert.equal((await bob.program.send("DELETE", bobPath)).status, 204);
    assert.equal((await bob.program.propfind(bobPath, props)).status, 404);
    assert.equal((await ann.program.propfind(annPath, props)).status, 207);
    const shared =
      await bob.person.get<SharedCalendarRecord[]>("/shared_calendars");
    assert.deepEqual(shared, []);
    // No calendar of one's own takes such a name.
    const made = await bob.program.send("MKCALENDAR", bobPath);
    assert.equal(made.status, 403);
    assert.match(made.text, /calendar-collection-location-ok/);
  });
});
