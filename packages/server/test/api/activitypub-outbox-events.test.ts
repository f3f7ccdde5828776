import assert from "node:assert/strict";
import { test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  activityOf,
  submitAndApply,
  read,
} from "../support/remote/linked-data.ts";
import { outboxOf } from "../support/scenes/outbox.ts";
import { answersTo, usePlanners } from "../support/scenes/planners.ts";
import type { EventRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const peers = usePlanners(kith);
  const { newest, badRequest, notFound, notImplemented } = outboxOf(kith);

  const party = (members: JsonObject = {}): JsonObject => ({
    type: "Event",
    name: "Garden party",
    content: "<p>Bring <b>cake</b></p>",
    startTime: "2026-08-01T18:00:00+02:00",
    endTime: "2026-08-01T22:00:00+02:00",
    timezone: "Europe/Berlin",
    location: { type: "Place", name: "Behind the house" },
    to: [PUBLIC],
    ...members,
  });
  /** The object of a Create that has just been applied. */
  const made = async (by: TestPerson, object: JsonObject) => {
    const create = await read(await submitAndApply(kith(), by, object));
    const { Event } = await newest(by);
    assert.ok(Event);
    const event = await by.get<EventRecord>(`/calendar/events/${Event.ID}`);
    return { create, event, object: create["object"] as JsonObject };
  };

  test("an Update of one's own Event changes what it gives", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { event, object } = await made(ann, party());
    const { id } = object;
    assert.ok(typeof id === "string");
    const update = (members: JsonObject) => ({
      type: "Update",
      object: { id, type: "Event", ...members },
    });
    const shown = () => ann.get<EventRecord>(`/calendar/events/${event.ID}`);
    const sent = await submitAndApply(
      kith(),
      ann,
      update({ ...object, name: "Winter party" }),
    );
    assert.deepEqual(await shown(), {
      ...event,
      ...{ Summary: "Winter party", UpdatedAt: (await shown()).UpdatedAt },
    });
    assert.match(JSON.stringify(await read(sent, ann)), /Winter party/);
    await submitAndApply(
      kith(),
      ann,
      update({
        startTime: "2026-12-01T18:00:00+01:00",
        endTime: null,
        content: "<p>Bring <i>tea</i></p>",
        location: { type: "Place", name: "Inside" },
        maximumAttendeeCapacity: 3,
      }),
    );
    const { Start, End, Description, Location, Summary } = await shown();
    assert.deepEqual(
      { Start, End, Description, Location, Summary },
      {
        ...{ Start: "2026-12-01T17:00:00.000Z", End: Start },
        ...{ Description: "Bring *tea*", Location: "Inside" },
        Summary: "Winter party",
      },
    );
    const { content = "" } = await read(id, ann);
    assert.ok(typeof content === "string");
    const more = content.replace("tea", "coffee");
    await submitAndApply(kith(), ann, update({ content: more }));
    assert.equal((await shown()).Description, "Bring *coffee*");
    const source = { mediaType: "text/markdown", content: "Bring *milk*" };
    await submitAndApply(kith(), ann, update({ source }));
    assert.equal((await shown()).Description, "Bring *milk*");
    await submitAndApply(kith(), ann, update({ description: "Come **all**" }));
    const before = await shown();
    assert.equal(before.Description, "Come **all**");
    await badRequest(ann, update({}));
    await badRequest(ann, update({ startTime: "2026-12-01T18:00:00+01:00" }));
    await notImplemented(ann, update({ name: "x", status: "CANCELLED" }));
    const theirs = { ...update({ name: "Mine" }) };
    await notFound(bob, theirs);
    assert.deepEqual(await shown(), before);
  });

  test("a Create of an Event makes one, with the post that announces it", async () => {
    const ann = await kith().person();
    const { create, event, object } = await made(
      ann,
      party({ maximumAttendeeCapacity: 2 }),
    );
    assert.equal(event.Summary, "Garden party");
    assert.equal(event.Description, "Bring **cake**");
    assert.equal(event.Location, "Behind the house");
    assert.equal(event.Start, "2026-08-01T16:00:00.000Z");
    assert.equal(event.End, "2026-08-01T20:00:00.000Z");
    assert.equal(event.Timezone, "Europe/Berlin");
    assert.equal(event.Public, true);
    const post = await newest(ann);
    assert.equal(create["id"], activityOf(kith(), post.Guid));
    assert.equal(object["type"], "Event");
    assert.equal(object["name"], "Garden party");
    assert.equal(object["joinMode"], "free");
    assert.equal(object["maximumAttendeeCapacity"], 2);
    assert.equal(object["remainingAttendeeCapacity"], 2);
  });

  test("without an end it begins and is over, and without a zone it is in the user's", async () => {
    const ann = await kith().person();
    await ann.put("/settings", { TimeZone: "Asia/Tokyo" });
    const { endTime: _, timezone: __, ...bare } = party();
    const { event } = await made(ann, bare);
    assert.equal(event.End, event.Start);
    assert.equal(event.Timezone, "Asia/Tokyo");
  });

  test("an unsupported event is refused, and nothing is created", async () => {
    const ann = await kith().person();
    for (const wrong of [{ name: null }, { name: " " }, { startTime: "soon" }])
      await badRequest(ann, party(wrong));
    for (const missing of [
      { to: [`${kith().baseUrl}/api/v1/ap/person/${ann.username}/followers`] },
      { joinMode: "external" },
      { status: "CANCELLED" },
      { sensitive: true },
    ])
      await notImplemented(ann, party(missing));
  });

  test("an event whose organiser confirms guests lets nobody in at once", async () => {
    const ann = await kith().person();
    const jon = peers.stranger();
    const { event, object } = await made(
      ann,
      party({ joinMode: "restricted" }),
    );
    assert.equal(event.Approval, true);
    assert.equal(object["joinMode"], "restricted");
    const join = { object: object["id"] ?? null };
    await jon.deliver(kith(), jon.activity("Join", join));
    assert.deepEqual(peers.sent(jon, "Accept"), []);
    const shown = await ann.get<EventRecord>(`/calendar/events/${event.ID}`);
    assert.equal(shown.Participations[0]?.Reply, "pending");
  });

  test("a full event accepts no one else", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [jon, kim] = [peers.stranger(), peers.stranger()];
    const { event, object } = await made(
      ann,
      party({ maximumAttendeeCapacity: 1 }),
    );
    const join = (by: typeof jon) =>
      by.activity("Join", { object: object["id"] ?? null });
    const first = join(jon);
    await jon.deliver(kith(), first);
    await kim.deliver(kith(), join(kim));
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    assert.equal(peers.sent(jon, "Accept").length, 1);
    assert.equal(peers.sent(kim, "Accept").length, 0);
    assert.equal(peers.sent(kim, "Reject").length, 1, "kim need not wait");
    const path = `/calendar/events/${event.ID}/participation`;
    const full = await bob.call("PUT", path, { form: { status: "accepted" } });
    assert.equal(full.status, 400);
    await bob.put(path, { status: "tentative" });
    await jon.deliver(kith(), join(jon));
    assert.equal(peers.sent(jon, "Accept").length, 2);
    await jon.deliver(
      kith(),
      jon.activity("Leave", { object: object["id"] ?? null }),
    );
    await bob.put(path, { status: "accepted" });
    assert.deepEqual(await answersTo(ann, event), [`${bob.handle} accepted`]);
  });
});
