import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, newUser } from "../support/pages/visit.ts";
import { plan } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { EventRecord } from "../support/server/wire.ts";

const COMING = { start: "2127-03-10T09:00:00Z", end: "2127-03-10T10:00:00Z" };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const come = async (who: TestPerson, { ID }: EventRecord) => {
    const path = `/calendar/events/${ID}/participation`;
    const form = { status: "accepted" };
    return (await who.call("PUT", path, { form })).status;
  };
  const capacityOf = async (who: TestPerson, { ID }: EventRecord) =>
    (await who.get<EventRecord>(`/calendar/events/${ID}`)).Capacity;

  test("an organiser says how many people can come, and changes it", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann, { ...COMING, capacity: 1 });
    assert.equal(event.Capacity, 1);
    assert.equal(await come(bob, event), 200);
    assert.equal(await come(eve, event), 400);
    const path = `/calendar/events/${event.ID}`;
    await ann.put(path, { summary: "Renamed" });
    assert.equal(await capacityOf(eve, event), 1);
    await ann.put(path, { capacity: 2 });
    assert.equal(await capacityOf(eve, event), 2);
    assert.equal(await come(eve, event), 200);
    // Those who come already stay.
    await ann.put(path, { capacity: 1 });
    assert.equal(await come(bob, event), 200);
    await ann.put(path, { capacity: 0 });
    assert.equal(await capacityOf(eve, event), undefined);
    await ann.badRequest("PUT", path, { form: { capacity: 1_000_001 } });
    await ann.badRequest("PUT", path, { form: { capacity: -1 } });
    await ann.badRequest("POST", "/calendar/events", {
      form: { ...COMING, summary: "x", capacity: 1_000_001 },
    });
    assert.equal(await capacityOf(eve, event), undefined);
  });

  test("two people at once do not take the same place", async () => {
    const ann = await kith().person();
    const guests = await Promise.all(
      Array.from({ length: 5 }, () => kith().person()),
    );
    const event = await plan(ann, { ...COMING, capacity: 2 });
    const answers = await Promise.all(guests.map((it) => come(it, event)));
    assert.deepEqual(answers.toSorted(), [200, 200, 400, 400, 400]);
  });

  test("the form of an event has its places", async () => {
    const ann = await newUser(kith().baseUrl, `host_${kind}`);
    const form = {
      ...{ summary: "Choir", location: "", description: "", calendar: "" },
      ...{ start_day: "2127-06-12", start_time: "19:30", end_day: "" },
      ...{ end_time: "21:00", time_zone: "UTC", audience: "everyone" },
    };
    const fields = hiddenFields(await ann.get("/events/new"), "/events/new");
    const send = (path: string, capacity: string) =>
      ann.post(path, { ...fields, ...form, capacity });
    for (const wrong of ["many", "-1", "1.5", "1000001", "99999999999"]) {
      const refused = await send("/events/new", wrong);
      assert.equal(refused.status, 422, wrong);
      assert.match(refused.text, /Enter a number of at most 1,000,000/);
    }
    const made = await send("/events/new", "12");
    const path = made.headers.get("location") ?? "";
    assert.match((await ann.get(path)).text, /Room for 12 people/);
    const edit = await ann.get(`${path}/edit`);
    assert.match(edit.text, /name="capacity"[^>]*value="12"/);
    assert.equal((await send(`${path}/edit`, "")).status, 302);
    assert.doesNotMatch((await ann.get(path)).text, /Room for/);
  });
});
