import assert from "node:assert/strict";
import { before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { aspectOf, keepAway, plan } from "../support/scenes/planning.ts";
import type { CalendarRecord, EventRecord } from "../support/server/wire.ts";

type Query = Readonly<Record<string, string | number>>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let bob: TestPerson;
  let calendarID: number;
  const list = (by: TestPerson, query: Query = {}) =>
    by.get<EventRecord[]>("/calendar/events", query);
  const names = async (by: TestPerson, query: Query = {}) =>
    (await list(by, { limit: 100, ...query })).map(({ Summary }) => Summary);

  before(async () => {
    ann = await kith().person();
    bob = await kith().person();
    calendarID = (await ann.post<CalendarRecord>("/calendar", { name: "c" }))
      .ID;
    const aspectID = await aspectOf(ann, bob);
    const make = (
      summary: string,
      start: string,
      end: string,
      more: Record<string, string | number | boolean> = {},
    ) => plan(ann, { summary, start, end, ...more });
    await make("day 11", "2026-03-11", "", { all_day: true });
    await make("evening", "2026-03-10T18:00Z", "2026-03-10T20:00Z", {
      aspectID,
    });
    await make("moment", "2026-03-10T12:00Z", "2026-03-10T12:00Z");
    await make("trip", "2026-03-09T08:00Z", "2026-03-12T08:00Z", {
      calendarID,
    });
    await make("day 10", "2026-03-10", "", { all_day: true, announce: false });
    await make("dawn", "2026-03-10T00:00Z", "2026-03-10T01:00Z");
  });

  test("events are listed by their start", async () => {
    const all = ["trip", "day 10", "dawn", "moment", "evening", "day 11"];
    assert.deepEqual(await names(ann), all);
    assert.deepEqual(
      await names(bob),
      all.filter((name) => name !== "day 10"),
    );
  });

  test("a page at a time", async () => {
    const [first, second] = [
      await list(ann, { limit: 4 }),
      await list(ann, { limit: 4, offset: 4 }),
    ];
    assert.deepEqual([first.length, second.length], [4, 2]);
    assert.deepEqual([...first, ...second], await list(ann, { limit: 100 }));
    assert.deepEqual(await list(ann, { offset: 6 }), []);
    const [only] = await list(ann, { fields: "Summary", limit: 1 });
    assert.deepEqual(only, { Summary: "trip" });
  });

  test("visibility: all, public, and limited", async () => {
    const open = ["trip", "dawn", "moment", "day 11"];
    assert.deepEqual(await names(ann, { visibility: 1 }), open);
    assert.deepEqual(await names(bob, { visibility: 1 }), open);
    assert.deepEqual(await names(ann, { visibility: 2 }), [
      "day 10",
      "evening",
    ]);
    assert.deepEqual(await names(bob, { visibility: 2 }), ["evening"]);
    assert.equal((await names(ann, { visibility: 0 })).length, 6);
    for (const visibility of [3, -1, "x"])
      await ann.badRequest("GET", "/calendar/events", {
        query: { visibility },
      });
  });

  test("a calendar contains the events added to it", async () => {
    assert.deepEqual(await names(ann, { calendarID }), ["trip"]);
    assert.equal((await names(ann, { calendarID: 0 })).length, 6);
    await bob.notFound("GET", "/calendar/events", { query: { calendarID } });
  });

  test("a range contains the events within it", async () => {
    const ranges: readonly [Query, string[]][] = [
      [
        { from: "2026-03-10", to: "2026-03-11" },
        ["trip", "day 10", "dawn", "moment", "evening"],
      ],
      [{ from: "2026-03-11" }, ["trip", "day 11"]],
      [{ from: "2026-03-12" }, ["trip"]],
      [{ from: "2026-03-12T08:00Z" }, []],
      [{ to: "2026-03-10" }, ["trip"]],
      [{ to: "2026-03-09T08:00Z" }, []],
      [
        { from: "2026-03-10T12:00:00Z", to: "2026-03-10T12:00:00Z" },
        ["trip", "day 10", "moment"],
      ],
      [
        { from: "2026-03-10T20:00:00Z", to: "2026-03-10T21:00:00+01:00" },
        ["trip", "day 10"],
      ],
      [
        { from: "2026-03-10 00:30", to: "2026-03-10 18:00" },
        ["trip", "day 10", "dawn", "moment"],
      ],
      [
        { from: "", to: "" },
        ["trip", "day 10", "dawn", "moment", "evening", "day 11"],
      ],
      [{ from: "2026-03-09", calendarID }, ["trip"]],
    ];
    for (const [query, expected] of ranges)
      assert.deepEqual(
        await names(ann, query),
        expected,
        JSON.stringify(query),
      );
  });

  test("a broken range is refused", async () => {
    const path = "/calendar/events";
    for (const query of [
      { from: "x" },
      { to: "2026-02-30" },
      { from: "2026-03-10", to: "soon" },
    ])
      await ann.refused("GET", path, { query }, 400, "Invalid datetime");
    const query = { from: "2026-03-11", to: "2026-03-10" };
    await ann.badRequest("GET", path, { query });
  });

  test("the lists omit events of ignored people", async () => {
    const carl = await kith().person();
    assert.equal((await names(carl)).length, 4);
    await keepAway(kith(), "ignore", carl, ann);
    assert.deepEqual(await names(carl), []);
  });
});
