import assert from "node:assert/strict";
import { before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

type Version = { Summary: string; Start: string; WrittenAt: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let ben: TestPerson;
  before(async () => {
    [ann, ben] = [await kith().person(), await kith().person()];
  });

  const plan = (form: Record<string, string | number | boolean>) =>
    ann.post<EventRecord>("/calendar/events", {
      start: "2030-01-01T10:00:00Z",
      end: "2030-01-01T11:00:00Z",
      all_day: false,
      summary: "first",
      ...form,
    });

  test("a changed event keeps its earlier versions for those who see it", async () => {
    const event = await plan({});
    const path = `/calendar/events/${event.ID}`;
    for (const summary of ["second", "second", "third"])
      await ann.put(path, { summary });
    await ann.put(path, { start: "2030-01-01T09:00:00Z" });
    const versions = await ben.get<Version[]>(`${path}/history`);
    assert.deepEqual(
      versions.map(({ Summary }) => Summary),
      ["third", "second", "first"],
    );
    assert.equal(versions.at(-1)?.Start, event.Start);
    assert.equal(versions.at(-1)?.WrittenAt, event.UpdatedAt);
    const page = { offset: 1, limit: 1 };
    const [one, ...more] = await ben.get<Version[]>(`${path}/history`, page);
    assert.equal(one?.Summary, "second");
    assert.deepEqual(more, []);
  });

  test("changes that only the owner saw are in no history", async () => {
    const { ID: calendarID } = await ann.post<{ ID: number }>("/calendar", {
      name: "mine",
    });
    const event = await plan({ calendarID, announce: false });
    const path = `/calendar/events/${event.ID}`;
    await ann.put(path, { summary: "changed" });
    assert.deepEqual(await ann.get(`${path}/history`), []);
    await ben.notFound("GET", `${path}/history`);
  });
});
