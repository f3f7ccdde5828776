import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import {
  aspectOf,
  keepAway,
  plan,
  sharedCalendar,
} from "../support/scenes/planning.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import type {
  CalendarRecord,
  CalendarShareRecord,
  EventRecord,
  PostRecord,
  SharedCalendarRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const two = async () =>
    [await kith().person(), await kith().person()] as const;
  const listShared = (by: TestPerson) =>
    by.get<SharedCalendarRecord[]>("/shared_calendars");
  const eventsIn = async (by: TestPerson, id: number) => {
    const form = { calendarID: id, limit: 100 };
    const events = await by.get<EventRecord[]>("/calendar/events", form);
    return events.map(({ Summary }) => Summary);
  };
  const dentist = (by: TestPerson, calendarID: number, form = {}) =>
    plan(by, { summary: "Dentist", calendarID, announce: false, ...form });

  test("a calendar is shared with a person, who sees what is its owner's alone", async () => {
    const [ann, bob] = await two();
    const eve = await kith().person();
    const { ID } = await sharedCalendar(ann, bob, { name: "Family" });
    const event = await dentist(ann, ID);
    const [shared, ...others] = await listShared(bob);
    assert.deepEqual(others, []);
    assert.ok(shared);
    const { CreatedAt, UpdatedAt, ...rest } = shared;
    assert.ok(CreatedAt <= UpdatedAt);
    const { Person, ...plain } = rest as typeof rest & { Person: unknown };
    assert.ok(Person);
    assert.deepEqual(plain, {
      ...{ ID, Name: "Family", Write: false, PersonID: ann.record.ID },
    });
    assert.deepEqual(await eventsIn(bob, ID), ["Dentist"]);
    const path = `/calendar/events/${event.ID}`;
    assert.equal((await bob.get<EventRecord>(path)).Summary, "Dentist");
    assert.equal((await bob.get<object[]>(`${path}/history`)).length, 0);
    for (const method of ["PUT", "DELETE"]) {
      const changed = await bob.call(method, path, { form: { summary: "x" } });
      assert.equal(changed.status, 403, method);
    }
    const mine = {
      ...{ start: event.Start, announce: false, summary: "Mine" },
    };
    const made = await bob.call("POST", "/calendar/events", {
      form: { ...mine, calendarID: ID },
    });
    assert.equal(made.status, 403);
    assert.deepEqual(await listShared(eve), []);
    await eve.notFound("GET", path);
    await eve.notFound("GET", `/calendar/events?calendarID=${ID}`);
    await eve.notFound("DELETE", `/shared_calendars/${ID}`);
    // The calendar itself stays its owner's.
    for (const reader of [bob, eve])
      for (const [method, after] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["GET", "/addresses"],
        ["GET", "/shares"],
        ["POST", "/shares"],
      ] as const) {
        const form = { name: "x", handle: eve.handle };
        const sent = method === "GET" ? {} : { form };
        await reader.notFound(method, `/calendar/${ID}${after}`, sent);
      }
    assert.deepEqual(await eventsIn(ann, ID), ["Dentist"]);
  });

  test("events for chosen people stay with these, in a shared calendar as anywhere", async () => {
    const [ann, bob] = await two();
    const carl = await kith().person();
    const { ID } = await sharedCalendar(ann, bob, { write: true });
    const aspectID = await aspectOf(ann, carl);
    const secret = await plan(ann, {
      ...{ calendarID: ID, aspectID, summary: "Surprise" },
    });
    const open = await plan(ann, { calendarID: ID, summary: "Feast" });
    assert.deepEqual(await eventsIn(bob, ID), ["Feast"]);
    await bob.notFound("GET", `/calendar/events/${secret.ID}`);
    // Nobody speaks to others in the owner's name.
    for (const { ID: id } of [secret, open])
      for (const method of ["PUT", "DELETE"])
        await bob.notFound(method, `/calendar/events/${id}`, {
          form: { summary: "mine now" },
        });
    // The share is about the calendar: those who are told of an event do not see the rest.
    await dentist(ann, ID);
    assert.deepEqual(await listShared(carl), []);
    await carl.notFound("GET", `/calendar/events?calendarID=${ID}`);
  });

  test("somebody who may write makes, changes and removes events in the owner's name", async () => {
    const [ann, bob] = await two();
    const { ID } = await sharedCalendar(ann, bob, { write: true });
    const other = await ann.post<CalendarRecord>("/calendar", { name: "Own" });
    const event = await dentist(bob, ID, { summary: "By Bob" });
    assert.equal(event.PersonID, ann.record.ID);
    const path = `/calendar/events/${event.ID}`;
    await bob.put(path, { summary: "Again by Bob" });
    assert.deepEqual(await eventsIn(ann, ID), ["Again by Bob"]);
    for (const calendarID of [0, other.ID]) {
      const moved = await bob.call("PUT", path, { form: { calendarID } });
      assert.equal(moved.status, 400, moved.text);
    }
    const announced = await bob.call("POST", "/calendar/events", {
      form: { start: event.Start, summary: "Come all", calendarID: ID },
    });
    assert.equal(announced.status, 400, announced.text);
    await bob.delete(path);
    assert.deepEqual(await eventsIn(ann, ID), []);
    assert.deepEqual(await ann.get<PostRecord[]>("/home"), []);
  });

  test("an aspect has the calendar as long as it has the person", async () => {
    const [ann, bob] = await two();
    const aspectID = await aspectOf(ann, bob);
    const calendar = await ann.post<CalendarRecord>("/calendar", { name: "c" });
    const path = `/calendar/${calendar.ID}/shares`;
    const share = await ann.post<CalendarShareRecord>(path, { aspectID });
    assert.equal(share.AspectID, aspectID);
    assert.equal(share.AspectName, "a");
    const event = await dentist(ann, calendar.ID);
    assert.equal((await listShared(bob)).length, 1);
    assert.deepEqual(await eventsIn(bob, calendar.ID), ["Dentist"]);
    const membership = `/people/${bob.record.ID}/aspects/${aspectID}`;
    const removed = await ann.call("DELETE", membership);
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(await listShared(bob), []);
    await bob.notFound("GET", `/calendar/events/${event.ID}`);
    await ann.post(membership);
    assert.equal((await listShared(bob)).length, 1);
    const deleted = await ann.call("DELETE", `/aspects/${aspectID}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(await listShared(bob), []);
    assert.deepEqual(await ann.get(path), []);
  });

  test("either side ends a share, and a share by name begins it again", async () => {
    const [ann, bob] = await two();
    const aspectID = await aspectOf(ann, bob);
    const { ID } = await sharedCalendar(ann, bob);
    const path = `/calendar/${ID}/shares`;
    await ann.post(path, { aspectID });
    await bob.delete(`/shared_calendars/${ID}`);
    assert.deepEqual(await listShared(bob), []);
    const [left, ...others] = await ann.get<CalendarShareRecord[]>(path);
    assert.equal(left?.AspectID, aspectID);
    assert.deepEqual(others, []);
    await bob.notFound("DELETE", `/shared_calendars/${ID}`);
    const again = await ann.post<CalendarShareRecord>(path, {
      personID: bob.record.ID,
    });
    assert.equal((await listShared(bob)).length, 1);
    // Once more changes what they may do.
    const wider = await ann.post<CalendarShareRecord>(path, {
      ...{ handle: bob.handle, write: true },
    });
    assert.equal(wider.ID, again.ID);
    assert.equal((await listShared(bob))[0]?.Write, true);
    await ann.delete(`${path}/${again.ID}`);
    await ann.notFound("DELETE", `${path}/${again.ID}`);
    await ann.delete(`${path}/${left.ID}`);
    assert.deepEqual(await listShared(bob), []);
  });

  test("a share needs one person of this server, or one's own aspect", async () => {
    const [ann, bob] = await two();
    const { ID } = await ann.post<CalendarRecord>("/calendar", { name: "c" });
    const remote = await remotePerson(kith(), "far@remote.example");
    const foreign = await aspectOf(bob, ann);
    const path = `/calendar/${ID}/shares`;
    const statusOf = async (form: Record<string, string | number>) =>
      (await ann.call("POST", path, { form })).status;
    assert.equal(await statusOf({}), 400);
    assert.equal(await statusOf({ handle: ann.handle }), 400);
    assert.equal(await statusOf({ handle: remote.handle }), 400);
    assert.equal(await statusOf({ handle: "nobody@nowhere.example" }), 404);
    assert.equal(await statusOf({ personID: 999_999_999 }), 404);
    assert.equal(await statusOf({ aspectID: foreign }), 404);
    const both = { handle: bob.handle, aspectID: foreign };
    assert.equal(await statusOf(both), 400);
    assert.deepEqual(await ann.get(path), []);
  });

  test("the end of a block does not share it again, and what the other one shares stays", async () => {
    const [ann, bob] = await two();
    const { ID } = await sharedCalendar(ann, bob);
    const theirs = await sharedCalendar(bob, ann, { name: "Bob's" });
    await ann.post(`/people/${bob.record.ID}/block`);
    await ann.delete(`/people/${bob.record.ID}/block`);
    assert.deepEqual(await listShared(bob), []);
    assert.deepEqual(await ann.get(`/calendar/${ID}/shares`), []);
    assert.deepEqual(
      (await listShared(ann)).map((it) => it.ID),
      [theirs.ID],
    );
  });

  test("blocks, ignores, suspensions and the end of an account end it at once", async () => {
    const [ann, bob] = await two();
    const { ID } = await sharedCalendar(ann, bob, { write: true });
    const event = await dentist(ann, ID);
    /** The owner's block has ended it. */
    const share = async () => {
      assert.ok(!(await isThere()));
      const form = { personID: bob.record.ID, write: true };
      await ann.post(`/calendar/${ID}/shares`, form);
    };
    const isThere = async () => {
      const shared = (await listShared(bob)).length === 1;
      const path = `/calendar/events/${event.ID}`;
      const { status } = await bob.call("GET", path);
      assert.equal(status, shared ? 200 : 404);
      const changed = await bob.call("PUT", path, { form: { location: "x" } });
      assert.equal(changed.status, shared ? 200 : 404);
      return shared;
    };
    assert.ok(await isThere());
    for (const [by, other] of [
      [ann, bob],
      [bob, ann],
    ] as const)
      for (const act of ["block", "ignore"] as const) {
        await by.post(`/people/${other.record.ID}/${act}`);
        // To be ignored is not to be known.
        assert.equal(await isThere(), by === ann && act === "ignore");
        await by.delete(`/people/${other.record.ID}/${act}`);
        if (by === ann && act === "block") await share();
        assert.ok(await isThere());
      }
    const form = { password: PASSWORD };
    const left = await ann.call("DELETE", "/users", { form });
    assert.equal(left.status, 200, left.text);
    assert.ok(!(await isThere()));
    await kith().settle();
    assert.ok(!(await isThere()));
  });

  test("a person who leaves is in no share any more", async () => {
    const [ann, bob] = await two();
    const { ID } = await sharedCalendar(ann, bob);
    const form = { password: PASSWORD };
    const left = await bob.call("DELETE", "/users", { form });
    assert.equal(left.status, 200, left.text);
    await kith().settle();
    assert.deepEqual(await ann.get(`/calendar/${ID}/shares`), []);
  });

  test("an event seen through a share reaches nobody else", async () => {
    const [ann, bob] = await two();
    const eve = await kith().person();
    const { ID } = await sharedCalendar(ann, bob);
    const event = await dentist(ann, ID);
    const notice = { post: "look", eventID: event.ID };
    const posted = await bob.call("POST", "/posts", { form: notice });
    assert.equal(posted.status, 400, posted.text);
    const aspectID = await aspectOf(bob, eve);
    const limited = await bob.call("POST", "/posts", {
      form: { ...notice, aspectID },
    });
    assert.equal(limited.status, 400, limited.text);
    assert.deepEqual(await eve.get<PostRecord[]>("/home"), []);
    const answered = await bob.put<{ Status: string }>(
      `/calendar/events/${event.ID}/participation`,
      { status: "accepted" },
    );
    assert.equal(answered.Status, "accepted");
    await keepAway(kith(), "block", ann, bob);
    await bob.notFound("GET", `/calendar/events/${event.ID}`);
  });
});
