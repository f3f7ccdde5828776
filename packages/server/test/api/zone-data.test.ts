import assert from "node:assert/strict";
import { before, test } from "node:test";
import { loadJson, storeJson } from "../../src/db/schema/columns/json-text.ts";
import { CalendarProgram, icalOf } from "../support/caldav/calendar-program.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { aspectOf } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type {
  EventRecord,
  NotificationRecord,
} from "../support/server/wire.ts";

const HOUR_MS = 3_600_000;
const ZONE = "Europe/Berlin";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  before(() => kith().server.prepare());

  const look = () =>
    kith().server.features.events.keepLocalTimes(AbortSignal.any([]));
  /** As if the zone had been an hour behind in the data with which events were written. */
  const changeData = async () => {
    const { db, clock } = kith();
    await look();
    clock.advance(60_000);
    await db.transaction(async (tx) => {
      const { periods } = await tx
        .selectFrom("known_zones")
        .select("periods")
        .where("name", "=", ZONE)
        .executeTakeFirstOrThrow();
      const { offsets, ...range } = loadJson(periods);
      const earlier = offsets.map(
        ([from, ms]) => [from, ms - HOUR_MS] as const,
      );
      await tx
        .updateTable("known_zones")
        .set({ periods: storeJson({ ...range, offsets: earlier }) })
        .where("name", "=", ZONE)
        .execute();
      await tx
        .updateTable("zone_data")
        .set({ since: clock.now().toISOString() })
        .execute();
    });
    clock.advance(1000);
  };
  const inDays = (days: number) =>
    new Date(
      Math.floor(kith().clock.now().getTime() / DAY_MS + days) * DAY_MS +
        12 * HOUR_MS,
    ).toISOString();
  const plan = (by: TestPerson, more: Record<string, string | boolean> = {}) =>
    by.post<EventRecord>("/calendar/events", {
      ...{ summary: "Choir", announce: false, timezone: ZONE },
      ...{ start: inDays(30), end: inDays(30.01), ...more },
    });
  const startOf = async (by: TestPerson, { ID }: EventRecord) =>
    (await by.get<EventRecord>(`/calendar/events/${ID}`)).Start;
  const movedMs = async (by: TestPerson, event: EventRecord) =>
    Date.parse(await startOf(by, event)) - Date.parse(event.Start);

  test("coming events keep their local time, once", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    const other = await plan(ann, { timezone: "Asia/Tokyo" });
    const utc = await plan(ann, { timezone: "UTC" });
    const day = await plan(ann, { all_day: true });
    const past = await plan(ann, { start: inDays(-3), end: inDays(-2.9) });
    await changeData();
    const late = await plan(ann);
    await look();
    assert.equal(await movedMs(ann, event), -HOUR_MS);
    for (const kept of [other, utc, day, past, late])
      assert.equal(await movedMs(ann, kept), 0);
    await look();
    await look();
    assert.equal(await movedMs(ann, event), -HOUR_MS);
    const end = (await ann.get<EventRecord>(`/calendar/events/${event.ID}`))
      .End;
    assert.equal(Date.parse(end ?? "") - Date.parse(event.End ?? ""), -HOUR_MS);
  });

  test("a series moves with its exceptions, and its guests are notified", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspectID = String(await aspectOf(ann, bob));
    const series = await plan(ann, {
      ...{ recurrence: "FREQ=DAILY;COUNT=4", exdates: inDays(31) },
      ...{ announce: true, aspectID },
    });
    await kith().settle();
    const before = await bob.get<NotificationRecord[]>("/notifications");
    await changeData();
    await look();
    await kith().settle();
    const range = { from: inDays(29), to: inDays(40), limit: 10 };
    const events = await ann.get<EventRecord[]>("/calendar/events", range);
    const found = events.find(({ ID }) => ID === series.ID);
    const times = found?.Recurrence?.Occurrences ?? [];
    assert.deepEqual(
      times.map(({ Start }) => Start.slice(11, 13)),
      ["11", "11", "11"],
    );
    const after = await bob.get<NotificationRecord[]>("/notifications");
    assert.equal(after.length, before.length + 1);
  });

  test("texts of programs say which of their times are local", async () => {
    const ann = await kith().person();
    const program = new CalendarProgram(kith(), ann.username);
    const path = await program.makeCalendar("own");
    const at = inDays(30).replaceAll(/[-:]|\.\d+/g, "");
    const local = at.replace("Z", "");
    const put = async (name: string, start: string) => {
      const text = icalOf(name, `SUMMARY:${name}`, start);
      assert.equal((await program.put(`${path}${name}.ics`, text)).status, 201);
      return text;
    };
    await ann.put("/settings", { TimeZone: ZONE });
    await put("utc", `DTSTART:${at}`);
    const text = await put("zoned", `DTSTART;TZID=${ZONE}:${local}`);
    const listStarts = async () => {
      const rows = await kith()
        .db.read.selectFrom("events")
        .select(["summary", "start_at"])
        .where("person_id", "=", ann.record.ID)
        .execute();
      return new Map(rows.map((row) => [row.summary, row.start_at]));
    };
    const right = await listStarts();
    await changeData();
    // As the earlier data had it.
    const wrong = new Date(Date.parse(right.get("zoned") ?? "") + HOUR_MS);
    await kith().db.transaction(async (tx) => {
      await tx
        .updateTable("events")
        .set({ start_at: wrong.toISOString() })
        .where("person_id", "=", ann.record.ID)
        .where("summary", "=", "zoned")
        .execute();
    });
    await look();
    assert.deepEqual(await listStarts(), right);
    const { text: read } = await program.send("GET", `${path}zoned.ics`);
    assert.equal(read, text);
  });

  test("after a return to earlier data, events are moved back; other processes wait", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    await changeData();
    const { db, server } = kith();
    const setVersion = (version: string) =>
      db.transaction(async (tx) => {
        await tx.updateTable("zone_data").set({ version }).execute();
      });
    await setVersion("later");
    await look();
    assert.equal(await movedMs(ann, event), 0);
    // This process starts again, after the one with later data.
    await server.prepare();
    await look();
    assert.equal(await movedMs(ann, event), -HOUR_MS);
    const rows = await db.read.selectFrom("zone_data").selectAll().execute();
    assert.equal(rows.length, 1);
  });

  test("events of other servers are theirs to move", async () => {
    const far = await remotePerson(kith(), `far_${kind}@remote.example`);
    const ann = await kith().person();
    const event = await plan(ann);
    await kith().db.transaction(async (tx) => {
      await tx
        .updateTable("events")
        .set({ person_id: far.id, audience: "everyone" })
        .where("id", "=", event.ID)
        .execute();
    });
    await changeData();
    await look();
    const { start_at: start } = await kith()
      .db.read.selectFrom("events")
      .select("start_at")
      .where("id", "=", event.ID)
      .executeTakeFirstOrThrow();
    assert.equal(start, event.Start);
  });
});
