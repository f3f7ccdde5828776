import assert from "node:assert/strict";
import { test } from "node:test";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  AN_HOUR,
  aspectOf,
  keepAway,
  plan,
} from "../support/scenes/planning.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type CalendarRecord,
  type EventRecord,
  type PostRecord,
} from "../support/server/wire.ts";

const EVENTS = "/calendar/events";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const pathOf = ({ ID }: EventRecord) => `${EVENTS}/${ID}`;
  const calendarOf = async (by: TestPerson) =>
    (await by.post<CalendarRecord>("/calendar", { name: "c" })).ID;
  const badTime = (
    by: TestPerson,
    form: Record<string, string | boolean>,
    method = "POST",
    path = EVENTS,
  ) => by.refused(method, path, { form }, 400, "Invalid datetime");

  test("an event has all that was said of it", async () => {
    const ann = await kith().person();
    const calendarID = await calendarOf(ann);
    const form = {
      ...AN_HOUR,
      summary: "Spring party",
      description: "Bring *cake*",
      location: "Main street 1, Köln",
      timezone: "Europe/Berlin",
      calendarID,
    };
    const event = await ann.post<EventRecord>(EVENTS, form);
    const { ID, CreatedAt, UpdatedAt, Guid, Person, ...rest } = event;
    assert.ok(ID > 0);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(UpdatedAt, CreatedAt);
    assert.match(Guid, OWN_GUID);
    assert.equal(Person.Author, ann.handle);
    assert.deepEqual(rest, {
      PersonID: ann.record.ID,
      Start: "2026-03-10T09:00:00.000Z",
      End: "2026-03-10T10:00:00.000Z",
      AllDay: false,
      Location: form.location,
      Description: form.description,
      Summary: form.summary,
      CalendarID: calendarID,
      Public: false,
      Timezone: "Europe/Berlin",
      Uid: `${Guid}@${kith().host}`,
      Participations: [],
    });
    assert.deepEqual(await ann.get(pathOf(event)), event);
    assert.deepEqual(await ann.get(`${EVENTS}/${Guid}`), event);
    const fields = { fields: "ID,Person(Author)" };
    assert.deepEqual(await ann.get(pathOf(event), fields), {
      ID,
      Person: { Author: ann.handle },
    });
  });

  test("posts, comments and events share one order of ids", async () => {
    const bea = await kith().person();
    const post = await bea.post<PostRecord>("/posts", { post: "before" });
    kith().clock.advance(20);
    const event = await plan(bea);
    assert.equal(Math.floor(event.ID / 1024) % 4, 2);
    assert.ok(event.ID > post.ID);
  });

  test("without a calendar an event is public, in the user's zone, and may be bare", async () => {
    const carl = await kith().person();
    await carl.put("/settings", { TimeZone: "Asia/Tokyo" });
    const event = await carl.post<EventRecord>(EVENTS, AN_HOUR);
    assert.equal(event.CalendarID, 0);
    assert.equal(event.Public, true);
    assert.equal(event.Timezone, "Asia/Tokyo");
    const { Summary, Description, Location } = event;
    assert.deepEqual([Summary, Description, Location], ["", "", ""]);
    const zero = await plan(carl, { calendarID: 0, aspectID: 0, timezone: "" });
    assert.deepEqual([zero.CalendarID, zero.Public], [0, true]);
    assert.equal(zero.Timezone, "Asia/Tokyo");
  });

  test("all forms of a time are understood, others are not", async () => {
    const dora = await kith().person();
    const forms = [
      ["2018-01-31T03:23:01+0100", "2018-01-31T02:23:01.000Z"],
      ["2018-01-31T03:23:01+01:00", "2018-01-31T02:23:01.000Z"],
      ["2018-01-31T03:23:01Z", "2018-01-31T03:23:01.000Z"],
      ["2018-01-31 03:23", "2018-01-31T03:23:00.000Z"],
      ["2018-01-31", "2018-01-31T00:00:00.000Z"],
    ] as const;
    const announce = false;
    for (const [start, instant] of forms) {
      const event = await plan(dora, { start, end: start, announce });
      assert.deepEqual([event.Start, event.End], [instant, instant]);
    }
    const good = "2018-01-31T03:23:01Z";
    for (const bad of ["", " ", "soon", "2018-02-30", "2018-01-31T24:00Z"]) {
      await badTime(dora, { start: bad, end: good });
      await badTime(dora, { start: good, end: bad });
      await badTime(dora, { start: bad, all_day: true });
    }
    await badTime(dora, { start: good });
    await badTime(dora, { end: good });
    await badTime(dora, {});
    await badTime(dora, { start: good, all_day: false });
    await badTime(dora, { start: good, end: "2018-01-31T03:23:00Z" });
  });

  test("a time without an offset is local where the call names the zone", async () => {
    const dana = await kith().person();
    const [start, end] = ["2027-06-05 14:00", "2027-06-05 18:00"];
    const timezone = "Europe/Berlin";
    const local = await plan(dana, { start, end, timezone });
    assert.equal(local.Start, "2027-06-05T12:00:00.000Z");
    assert.equal(local.End, "2027-06-05T16:00:00.000Z");
    const path = pathOf(local);
    const moved = await dana.put<EventRecord>(path, { start, end });
    assert.equal(moved.Start, "2027-06-05T14:00:00.000Z");
    const change = { start: "2027-12-05", end, timezone: "America/Havana" };
    await badTime(dana, change, "PUT", path);
    const back = { start: "2027-03-14", end, timezone: "America/Havana" };
    const early = await dana.put<EventRecord>(path, back);
    assert.equal(early.Start, "2027-03-14T05:00:00.000Z");
    assert.equal(early.End, "2027-06-05T22:00:00.000Z");
    const exact = { start: "2027-06-05T14:00Z", end: "2027-06-05T20:00+02:00" };
    const changed = await dana.put<EventRecord>(path, { ...exact, timezone });
    assert.equal(changed.Start, "2027-06-05T14:00:00.000Z");
    assert.equal(changed.End, "2027-06-05T18:00:00.000Z");
  });

  test("an event that lasts all day has a date and no end", async () => {
    const emil = await kith().person();
    const event = await plan(emil, {
      start: "2026-03-10T23:30:00-05:00",
      end: "nonsense",
      all_day: true,
    });
    assert.equal(event.AllDay, true);
    assert.equal(event.Start, "2026-03-10");
    assert.ok(!("End" in event));
    const { start, end } = AN_HOUR;
    const shown = await emil.post<object>(EVENTS, { start, end, all_day: "1" });
    assert.ok(!("End" in shown));
    const sent = { form: { ...AN_HOUR, all_day: "perhaps" } };
    await emil.badRequest("POST", EVENTS, sent);
  });

  test("texts have limits, and a time zone exists", async () => {
    const fay = await kith().person();
    const summary = "🦌".repeat(255);
    assert.equal((await plan(fay, { summary })).Summary, summary);
    const lines = await plan(fay, { summary: " one\r\ntwo " });
    assert.equal(lines.Summary, "one two");
    for (const form of [
      { summary: "x".repeat(256) },
      { location: "x".repeat(1001) },
      { description: "x".repeat(65_536) },
      { timezone: "Mars/Base" },
      { timezone: "+01:00" },
      { calendarID: -1 },
      { aspectID: "x" },
    ])
      await fay.badRequest("POST", EVENTS, { form: { ...AN_HOUR, ...form } });
  });

  test("another's calendar or aspect is none", async () => {
    const [gus, hal] = [await kith().person(), await kith().person()];
    const calendarID = await calendarOf(hal);
    const aspectID = await aspectOf(hal);
    for (const form of [
      { calendarID },
      { calendarID: 999_999 },
      { aspectID },
      { aspectID: 999_999 },
      { aspectID, announce: false },
    ])
      await gus.notFound("POST", EVENTS, { form: { ...AN_HOUR, ...form } });
    const event = await plan(gus);
    for (const form of [{ calendarID }, { calendarID: 999_999 }])
      await gus.notFound("PUT", pathOf(event), { form });
    await gus.notFound("GET", EVENTS, { query: { calendarID } });
    await gus.notFound("GET", EVENTS, { query: { calendarID: 999_999 } });
    await badTime(gus, { start: "x", calendarID: "999999" });
  });

  test("the aspect decides who sees an event, and Public says whether it has no calendar", async () => {
    const [ida, jan, kim, leo, mia] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const aspectID = await aspectOf(ida, jan, leo);
    const limited = await plan(ida, { aspectID });
    const calendarID = await calendarOf(ida);
    const open = await plan(ida, { calendarID });
    const own = await plan(ida, { announce: false });
    assert.deepEqual(
      [limited.Public, open.Public, own.Public],
      [true, false, true],
    );
    await ida.post(`/people/${kim.record.ID}/aspects/${aspectID}`);
    const left = `/people/${jan.record.ID}/aspects/${aspectID}`;
    assert.equal((await ida.call("DELETE", left)).status, 200);
    await keepAway(kith(), "block", ida, leo);
    await keepAway(kith(), "block", mia, ida);
    const seenBy = async (who: TestPerson) => {
      const seen = [];
      for (const event of [limited, open, own])
        for (const key of [event.ID, event.Guid]) {
          const answer = await who.call("GET", `${EVENTS}/${key}`);
          if (answer.status === 200) seen.push(event.ID);
          else assertError(answer, 404, "Not found", `${key}`);
        }
      const listed = await who.get<EventRecord[]>(EVENTS, { limit: 100 });
      const mine = listed.filter((it) => it.PersonID === ida.record.ID);
      return [seen, mine.map(({ ID }) => ID)];
    };
    const twice = (...events: EventRecord[]) =>
      events.flatMap(({ ID }) => [ID, ID]);
    const ids = (...events: EventRecord[]) => events.map(({ ID }) => ID);
    assert.deepEqual(await seenBy(ida), [
      twice(limited, open, own),
      ids(limited, open, own),
    ]);
    // A former member of the aspect keeps the event, a later one does not get it.
    assert.deepEqual(await seenBy(jan), [
      twice(limited, open),
      ids(limited, open),
    ]);
    assert.deepEqual(await seenBy(kim), [twice(open), ids(open)]);
    assert.deepEqual(await seenBy(leo), [[], []]);
    assert.deepEqual(await seenBy(mia), [twice(open), []]);
  });

  test("an invisible event looks like a missing one", async () => {
    const [ned, oda] = [await kith().person(), await kith().person()];
    const event = await plan(ned, { aspectID: await aspectOf(ned) });
    const own = await plan(ned, { announce: false });
    const calls = [
      ["GET", "", {}],
      ["PUT", "", { form: { summary: "mine" } }],
      ["PUT", "", { form: { start: "broken" } }],
      ["DELETE", "", {}],
      ["PUT", "/participation", { form: { status: "accepted" } }],
    ] as const;
    for (const [method, below, sent] of calls)
      for (const key of [
        event.ID,
        event.Guid,
        own.ID,
        own.Guid,
        "0".repeat(32),
        12_345,
        "x",
        "9".repeat(40),
      ])
        await oda.notFound(method, `${EVENTS}/${key}${below}`, sent);
    const open = await plan(ned);
    for (const method of ["PUT", "DELETE"])
      await oda.notFound(method, pathOf(open), { form: { summary: "mine" } });
  });

  test("a change affects only given fields, and is counted", async () => {
    const pia = await kith().person();
    const calendarID = await calendarOf(pia);
    const event = await plan(pia, { description: "d", location: "l" });
    const sequence = async () =>
      (
        await kith()
          .db.read.selectFrom("events")
          .select("sequence")
          .where("id", "=", event.ID)
          .executeTakeFirstOrThrow()
      ).sequence;
    const change = (form: Record<string, string | number | boolean>) =>
      pia.put<EventRecord>(pathOf(event), form);
    assert.equal(await sequence(), 0);
    assert.deepEqual(await change({}), event);
    assert.deepEqual(await change({ summary: "Party" }), event);
    assert.equal(await sequence(), 0);
    kith().clock.advance(1000);
    const renamed = await change({ summary: "Feast" });
    assert.ok(renamed.UpdatedAt > event.UpdatedAt);
    const { UpdatedAt } = renamed;
    assert.deepEqual(renamed, { ...event, Summary: "Feast", UpdatedAt });
    const later = await change({ end: "2026-03-10T12:00:00Z" });
    assert.deepEqual(
      [later.Start, later.End],
      [event.Start, "2026-03-10T12:00:00.000Z"],
    );
    const put = await change({ calendarID, timezone: "Europe/Berlin" });
    assert.deepEqual([put.CalendarID, put.Public], [calendarID, false]);
    assert.equal(put.Timezone, "Europe/Berlin");
    const bare = await change({ calendarID: 0, description: "", location: "" });
    assert.deepEqual([bare.CalendarID, bare.Public], [0, true]);
    assert.deepEqual([bare.Description, bare.Location], ["", ""]);
    assert.equal(await sequence(), 4);
    assert.deepEqual(await pia.get(pathOf(event)), bare);
  });

  test("a change of the times keeps them in order", async () => {
    const quin = await kith().person();
    const event = await plan(quin, { timezone: "Europe/Berlin" });
    const refuse = (form: Record<string, string | boolean>) =>
      badTime(quin, form, "PUT", pathOf(event));
    for (const form of [
      { start: "" },
      { end: "" },
      { start: "x" },
      { end: "x" },
      { start: "2026-03-10T10:00:01Z" },
      { end: "2026-03-10T08:59:59Z" },
      { start: "x", all_day: true },
    ])
      await refuse(form);
    const change = (form: Record<string, string | boolean>) =>
      quin.put<EventRecord>(pathOf(event), form);
    await change({ start: "2026-03-10T22:30Z", end: "2026-03-10T23:30Z" });
    await change({ start: "2026-03-10T23:15Z" });
    const day = await change({ all_day: true });
    assert.deepEqual([day.Start, "End" in day], ["2026-03-11", false]);
    await refuse({ all_day: false });
    assert.equal((await change({ start: "2026-03-12" })).Start, "2026-03-12");
    const again = await change({ all_day: false, end: "2026-03-12T01:00Z" });
    assert.deepEqual(
      [again.AllDay, again.Start, again.End],
      [false, "2026-03-12T00:00:00.000Z", "2026-03-12T01:00:00.000Z"],
    );
  });

  test("the audience of an event does not change", async () => {
    const [rob, sue] = [await kith().person(), await kith().person()];
    const aspectID = await aspectOf(rob, sue);
    const other = await aspectOf(rob);
    const limited = await plan(rob, { aspectID });
    const form = { summary: "Same", aspectID, announce: true };
    assert.equal(
      (await rob.put<EventRecord>(pathOf(limited), form)).Summary,
      "Same",
    );
    for (const wider of [{ aspectID: 0 }, { aspectID: other }])
      await rob.badRequest("PUT", pathOf(limited), { form: wider });
    const own = await plan(rob, { announce: false });
    await rob.put(pathOf(own), { announce: false, aspectID: 0 });
    await rob.badRequest("PUT", pathOf(own), { form: { announce: true } });
    const open = await plan(rob);
    await rob.badRequest("PUT", pathOf(open), { form: { announce: false } });
  });

  test("an event is deleted once, however many ask", async () => {
    const tom = await kith().person();
    const event = await plan(tom);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tom.call("DELETE", pathOf(event))),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array<number>(9).fill(404)]);
    await tom.notFound("GET", pathOf(event));
    await tom.notFound("PUT", pathOf(event), { form: { summary: "again" } });
    const facts = await kith()
      .db.read.selectFrom("jobs")
      .select("payload")
      .where("kind", "=", "notify")
      .where("payload", "like", `%event.retracted%${event.Guid}%`)
      .execute();
    assert.ok(facts.length <= 1);
  });

  test("events made and changed at once are all there", async () => {
    const uma = await kith().person();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => plan(uma, { summary: `${n}` })),
    );
    assert.equal(new Set(made.map(({ ID }) => ID)).size, 20);
    const posts = await uma.get<PostRecord[]>("/posts", { limit: 100 });
    const mine = posts.filter((it) => it.PersonID === uma.record.ID);
    assert.equal(new Set(mine.map((it) => it.Event?.ID)).size, 20);
    const [event] = made;
    assert.ok(event);
    await Promise.all([
      uma.put(pathOf(event), { summary: "s" }),
      uma.put(pathOf(event), { location: "l" }),
      uma.put(pathOf(event), { description: "d" }),
    ]);
    const changed = await uma.get<EventRecord>(pathOf(event));
    const { Summary, Location, Description } = changed;
    assert.deepEqual([Summary, Location, Description], ["s", "l", "d"]);
  });

  test("every call needs a token", async () => {
    const { anonymous } = kith();
    for (const [method, path] of [
      ["GET", EVENTS],
      ["POST", EVENTS],
      ["GET", `${EVENTS}/1`],
      ["PUT", `${EVENTS}/1`],
      ["DELETE", `${EVENTS}/1`],
      ["PUT", `${EVENTS}/1/participation`],
      ["GET", "/calendar"],
      ["POST", "/calendar"],
      ["PUT", "/calendar/1"],
    ] as const)
      await anonymous.unauthorized(method, path);
  });
});
