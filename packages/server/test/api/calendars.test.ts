import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { plan } from "../support/scenes/planning.ts";
import {
  TIMESTAMP,
  type CalendarRecord,
  type EventRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const make = (by: TestPerson, name: string) =>
    by.post<CalendarRecord>("/calendar", { name });
  const list = (by: TestPerson, limit = 100) =>
    by.get<CalendarRecord[]>("/calendar", { limit });

  test("a calendar belongs to its creator; the first one is the default", async () => {
    const ann = await kith().person();
    assert.deepEqual(await list(ann), []);
    const first = await make(ann, " Work ");
    const { ID, CreatedAt, UpdatedAt, ...rest } = first;
    assert.ok(ID > 0);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(UpdatedAt, CreatedAt);
    const { UserID } = ann.record;
    assert.deepEqual(rest, { Name: "Work", UserID, Default: true });
    assert.equal((await make(ann, "Home")).Default, false);
    assert.deepEqual(await ann.get(`/calendar/${ID}`), first);
  });

  test("calendars are listed newest first, and only to their owner", async () => {
    const [bea, carl] = [await kith().person(), await kith().person()];
    const made: CalendarRecord[] = [];
    for (let n = 1; n <= 12; n++) made.unshift(await make(bea, `c${n}`));
    assert.deepEqual(await bea.get("/calendar"), made.slice(0, 10));
    assert.deepEqual(
      await bea.get("/calendar", { offset: 10 }),
      made.slice(10),
    );
    assert.deepEqual(await list(bea), made);
    assert.deepEqual(await list(carl), []);
    const fields = "ID,Name";
    const [newest] = await bea.get<object[]>("/calendar", { fields });
    assert.deepEqual(newest, { ID: made[0]?.ID, Name: "c12" });
  });

  test("a calendar is seen, renamed and deleted by its owner alone", async () => {
    const [dora, emil] = [await kith().person(), await kith().person()];
    const calendar = await make(dora, "before");
    const path = `/calendar/${calendar.ID}`;
    const renamed = await dora.put<CalendarRecord>(path, { name: "after" });
    assert.deepEqual(
      { ...renamed, UpdatedAt: "" },
      { ...calendar, Name: "after", UpdatedAt: "" },
    );
    for (const method of ["GET", "PUT", "DELETE"]) {
      const sent = method === "GET" ? {} : { form: { name: "mine" } };
      await emil.notFound(method, path, sent);
      for (const id of [0, -1, 999_999, "abc", "1.0", "9".repeat(40)])
        await dora.notFound(method, `/calendar/${id}`, sent);
    }
    await dora.delete(path);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const sent = method === "GET" ? {} : { form: { name: "again" } };
      await dora.notFound(method, path, sent);
    }
  });

  test("a name is needed, and has a limit", async () => {
    const frida = await kith().person();
    const calendar = await make(frida, "🦌".repeat(255));
    assert.equal(calendar.Name, "🦌".repeat(255));
    const calls = [
      ["POST", "/calendar"],
      ["PUT", `/calendar/${calendar.ID}`],
    ] as const;
    for (const [method, path] of calls) {
      for (const name of ["", " ", "\t\n"])
        await frida.blank(method, path, { form: { name } });
      await frida.blank(method, path);
      const name = "x".repeat(256);
      await frida.badRequest(method, path, { form: { name } });
      await frida.badRequest(method, path, { json: { name: 1 } });
    }
  });

  test("after the default calendar the oldest one is the default", async () => {
    const gina = await kith().person();
    const [one, two, three] = [
      await make(gina, "1"),
      await make(gina, "2"),
      await make(gina, "3"),
    ];
    const defaults = async () =>
      (await list(gina)).filter((it) => it.Default).map((it) => it.ID);
    await gina.delete(`/calendar/${two.ID}`);
    assert.deepEqual(await defaults(), [one.ID]);
    await gina.delete(`/calendar/${one.ID}`);
    assert.deepEqual(await defaults(), [three.ID]);
    await gina.delete(`/calendar/${three.ID}`);
    assert.deepEqual(await defaults(), []);
    assert.equal((await make(gina, "4")).Default, true);
  });

  test("of many calendars made at once one is the default", async () => {
    const hugo = await kith().person();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => make(hugo, `${n}`)),
    );
    assert.equal(new Set(made.map(({ ID }) => ID)).size, 10);
    assert.equal(made.filter((it) => it.Default).length, 1);
    const path = `/calendar/${made[0]?.ID}`;
    const gone = await Promise.all(
      Array.from({ length: 10 }, () => hugo.call("DELETE", path)),
    );
    const statuses = gone.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array<number>(9).fill(404)]);
    assert.equal((await list(hugo)).filter((it) => it.Default).length, 1);
  });

  test("the events of a calendar are deleted with it", async () => {
    const [ida, jan] = [await kith().person(), await kith().person()];
    const calendar = await make(ida, "Club");
    const other = await make(ida, "Other");
    const announced = await plan(ida, { calendarID: calendar.ID });
    const own = await plan(ida, { calendarID: calendar.ID, announce: false });
    const stays = await plan(ida, { calendarID: other.ID });
    await jan.put(`/calendar/events/${announced.ID}/participation`, {
      status: "accepted",
    });
    const before = await jan.get<PostRecord[]>("/posts");
    assert.equal(
      before.filter((it) => it.Event?.ID === announced.ID).length,
      1,
    );
    await ida.delete(`/calendar/${calendar.ID}`);
    for (const { ID } of [announced, own])
      await ida.notFound("GET", `/calendar/events/${ID}`);
    assert.equal(
      (await ida.get<EventRecord>(`/calendar/events/${stays.ID}`)).CalendarID,
      other.ID,
    );
    const after = await jan.get<PostRecord[]>("/posts");
    assert.deepEqual(
      after.map((it) => it.Event?.ID),
      [stays.ID],
    );
    const { db } = kith();
    const left = await db.read
      .selectFrom("participations")
      .selectAll()
      .where("event_id", "=", announced.ID)
      .execute();
    assert.deepEqual(left, []);
    const tombstone = await db.read
      .selectFrom("tombstones")
      .select("guid")
      .where("kind", "=", "Post")
      .where("person_id", "=", ida.record.ID)
      .execute();
    assert.equal(tombstone.length, 1);
  });

  test("a calendar that is deleted while events are put into it keeps none of them", async () => {
    const kai = await kith().person();
    const { ID: calendarID } = await make(kai, "short");
    const form = { start: "2026-01-01", all_day: true, calendarID };
    const calls = [
      ...Array.from({ length: 8 }, () =>
        kai.call("POST", "/calendar/events", { form }),
      ),
      kai.call("DELETE", `/calendar/${calendarID}`),
    ];
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.equal(statuses.at(-1), 200);
    for (const status of statuses) assert.ok([200, 404].includes(status));
    const rows = await kith()
      .db.read.selectFrom("events")
      .select("id")
      .where("person_id", "=", kai.record.ID)
      .execute();
    assert.deepEqual(rows, []);
  });
});
