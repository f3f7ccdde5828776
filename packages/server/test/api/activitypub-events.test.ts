import assert from "node:assert/strict";
import { test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, ask, read } from "../support/remote/linked-data.ts";
import {
  answersTo,
  eventOf,
  textIn,
  usePlanners,
} from "../support/scenes/planners.ts";
import { aspectOf, plan } from "../support/scenes/planning.ts";
import type {
  EventRecord,
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const peers = usePlanners(kith);
  const answer = async (
    by: TestPerson,
    { ID }: EventRecord,
    status: string,
  ) => {
    await by.put(`/calendar/events/${ID}/participation`, { status });
    await kith().settle();
  };

  test("events of Mobilizon, Gancio, Friendica and WordPress are posts with events", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const cases = [
      {
        file: "mobilizon-create-event",
        name: "jon",
        summary: "Repair café",
        start: "2026-07-14T15:30:00.000Z",
        end: "2026-07-14T18:00:00.000Z",
        zone: "Europe/Vienna",
        location: "Town hall, Main square 1, 8010 Graz, Steiermark, Austria",
        description: "Bring your toaster",
      },
      {
        file: "gancio-create-event",
        name: "gancio",
        summary: "Concert",
        start: "2026-07-10T19:00:00.000Z",
        end: "2026-07-10T21:30:00.000Z",
        zone: "UTC",
        location: "Squat 22, Via Roma 22, Torino",
        description: "three bands",
      },
      {
        file: "friendica-create-event",
        name: "gil",
        summary: "Bike ride",
        start: "2026-07-04T08:00:00.000Z",
        end: "2026-07-04T11:00:00.000Z",
        zone: "UTC",
        location: "Old bridge",
        description: "Along the river",
      },
      {
        file: "wordpress-create-event",
        name: "kim",
        summary: "Workshop",
        start: "2026-07-20T16:00:00.000Z",
        end: "2026-07-20T18:00:00.000Z",
        zone: "Europe/Vienna",
        location: "Makerspace, Lab street 5, Graz, Austria",
        description: "Soldering for beginners",
      },
    ] as const;
    for (const one of cases) {
      const peer = await peers.followed(ann);
      const values = { alice: actorOf(kith(), ann.username) };
      await peers.bring(one.file, one.name, peer, values);
      const event =
        (await eventOf(bob, peer, one.summary)) ?? assert.fail(one.file);
      assert.equal(event.Start, one.start, one.file);
      assert.equal(event.End, one.end, one.file);
      assert.equal(event.Timezone, one.zone, one.file);
      assert.equal(event.Location, one.location, one.file);
      assert.equal(event.Description, one.description, one.file);
      assert.equal(event.Public, true, one.file);
      assert.equal(event.AllDay, false, one.file);
      assert.equal(event.Status, undefined, one.file);
      assert.equal(event.Person.Author, peer.handle, one.file);
      const posts = await bob.get<PostRecord[]>("/posts");
      const post = posts.find(({ Event }) => Event?.ID === event.ID);
      assert.match(post?.Text ?? "", new RegExp(`^## ${one.summary}\n`));
    }
  });

  test("a place is named once where its address begins with its name, as ours do", async () => {
    const ann = await kith().person();
    const jon = await peers.followed(ann);
    const create = await peers.read("mobilizon-create-event", "jon", jon);
    const location = {
      ...{ type: "Place", name: "House 1" },
      address: "House 1, Mill Lane, Graz",
    };
    const object = { ...(create["object"] as JsonObject), location };
    await jon.deliver(kith(), jon.activity("Create", { object }));
    await kith().settle();
    const event = (await eventOf(ann, jon, "Repair café")) ?? assert.fail();
    assert.equal(event.Location, "House 1, Mill Lane, Graz");
  });

  test("a cancelled event is shown as cancelled, with a notification; a deleted one is gone", async () => {
    const ann = await kith().person();
    const jon = await peers.followed(ann);
    await peers.bring("mobilizon-create-event", "jon", jon);
    const event = (await eventOf(ann, jon, "Repair café")) ?? assert.fail();
    await answer(ann, event, "accepted");
    const forger = await peers.followed(ann);
    const cancel = await peers.read(
      "mobilizon-update-event-cancelled",
      "jon",
      jon,
    );
    const forged = { object: cancel["object"] ?? null };
    await forger.deliver(kith(), forger.activity("Update", forged));
    const path = `/calendar/events/${event.ID}`;
    assert.equal((await ann.get<EventRecord>(path)).Status, undefined);
    await jon.deliver(kith(), cancel);
    await jon.deliver(kith(), cancel);
    const cancelled = await ann.get<EventRecord>(path);
    assert.equal(cancelled.Status, "cancelled");
    assert.equal(cancelled.Start, event.Start);
    assert.equal(cancelled.Guid, event.Guid);
    const notifications = await ann.get<NotificationRecord[]>("/notifications");
    const about = notifications.filter(
      ({ ShareableGuid }) => ShareableGuid === event.Guid,
    );
    assert.deepEqual(
      about.map(({ ShareableType }) => ShareableType),
      ["Event"],
    );
    const gancio = await peers.followed(ann);
    const values = { alice: actorOf(kith(), ann.username) };
    await peers.bring("gancio-create-event", "gancio", gancio, values);
    const concert = (await eventOf(ann, gancio, "Concert")) ?? assert.fail();
    const gone = await peers.read("gancio-delete-event", "gancio", gancio);
    const stolen = {
      ...gone,
      id: forger.newId("activities"),
      actor: forger.id,
    };
    await forger.deliver(kith(), stolen);
    assert.ok(await eventOf(ann, gancio, "Concert"));
    await gancio.deliver(kith(), gone);
    await ann.notFound("GET", `/calendar/events/${concert.ID}`);
  });

  test("how many may come to an event elsewhere, and that it is put off, is kept, and its own server counts", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await peers.followed(ann);
    const object = jon.note({
      type: "Event",
      name: "Garden party",
      startTime: "2030-07-14T15:30:00Z",
      timezone: "Europe/Vienna",
      joinMode: "free",
      maximumAttendeeCapacity: 1,
    });
    const say = (type: string, members: JsonObject) =>
      jon.deliver(
        kith(),
        jon.activity(type, { object: { ...object, ...members }, to: [PUBLIC] }),
      );
    await say("Create", {});
    const event = async () => {
      const { features } = kith().server;
      const post = await features.posts.find({ uri: textIn(object["id"]) });
      assert.ok(post?.eventId);
      const found = await features.events.find({ id: post.eventId });
      assert.ok(found);
      return found;
    };
    const { capacity, status, id } = await event();
    assert.deepEqual([capacity, status], [1, "confirmed"]);
    for (const one of [ann, bob])
      await one.put(`/calendar/events/${id}/participation`, {
        status: "accepted",
      });
    await say("Update", {
      updated: "2026-02-01T00:00:00Z",
      status: "TENTATIVE",
      eventStatus: "EventPostponed",
      maximumAttendeeCapacity: 3,
    });
    const later = await event();
    assert.deepEqual([later.capacity, later.status], [3, "postponed"]);
    const shown = await ann.get<EventRecord>(`/calendar/events/${id}`);
    assert.equal(shown.Status, "postponed");
  });

  test("an event for some is seen by those alone, and a later change stays with them", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await peers.followed(ann);
    const to = [actorOf(kith(), ann.username)];
    const object = jon.note({
      type: "Event",
      name: "Secret dinner",
      startTime: "2026-12-24T23:00:00Z",
      endTime: "2026-12-26T23:00:00Z",
      timezone: "Europe/Berlin",
      to,
    });
    await jon.deliver(kith(), jon.activity("Create", { object, to }));
    const event = (await eventOf(ann, jon, "Secret dinner")) ?? assert.fail();
    assert.equal(event.AllDay, true);
    assert.equal(event.Start, "2026-12-25");
    assert.equal(await eventOf(bob, jon, "Secret dinner"), undefined);
    const changed = { ...object, name: "Open dinner", to: [PUBLIC] };
    await jon.deliver(kith(), jon.activity("Update", { object: changed }));
    assert.equal((await eventOf(ann, jon, "Open dinner"))?.ID, event.ID);
    await bob.notFound("GET", `/calendar/events/${event.ID}`);
  });

  test("an event goes out as an Event, changed as an Update, and is deleted as one", async () => {
    const ann = await kith().person();
    const eve = await peers.followed(ann);
    const event = await plan(ann, {
      summary: "Garden party",
      description: "Bring *cake*",
      location: "Garden\nMain road 5",
      start: "2026-07-14T15:30:00Z",
      end: "2026-07-14T18:00:00Z",
      timezone: "Europe/Vienna",
    });
    await kith().settle();
    const create = peers.deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(create["type"], "Create");
    const object = create["object"] as JsonObject;
    assert.equal(object["type"], "Event");
    assert.equal(object["name"], "Garden party");
    assert.equal(object["startTime"], "2026-07-14T17:30:00+02:00");
    assert.equal(object["endTime"], "2026-07-14T20:00:00+02:00");
    assert.equal(object["timezone"], "Europe/Vienna");
    assert.deepEqual(object["location"], {
      type: "Place",
      name: "Garden",
      address: "Garden, Main road 5",
    });
    assert.equal(object["joinMode"], "free");
    assert.equal(object["status"], "CONFIRMED");
    assert.equal(object["participantCount"], 0);
    assert.equal("updated" in object, false);
    assert.match(
      textIn(object["summary"]),
      /July 14, 2026.*Garden, Main road 5/,
    );
    assert.match(textIn(object["content"]), /Bring <em>cake<\/em>/);
    for (const item of object["attachment"] as JsonObject[])
      assert.equal(typeof item["mediaType"], "string");
    const served = await read(textIn(object["id"]));
    assert.equal(served["type"], "Event");

    await ann.put(`/calendar/events/${event.ID}`, {
      ...{ start: event.Start, end: event.End ?? "" },
      summary: "Garden fête",
    });
    await kith().settle();
    const update = peers.deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(update["type"], "Update");
    const changed = update["object"] as JsonObject;
    assert.equal(changed["id"], object["id"]);
    assert.equal(changed["name"], "Garden fête");
    assert.ok(textIn(changed["updated"]) >= textIn(changed["published"]));
    assert.equal((await ask(textIn(update["id"]))).status, 200);

    await ann.delete(`/calendar/events/${event.ID}`);
    await kith().settle();
    const gone = peers.deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(gone["type"], "Delete");
    const tombstone = gone["object"] as JsonObject;
    assert.equal(tombstone["id"], object["id"]);
    assert.equal(tombstone["formerType"], "Event");
  });

  test("a whole day is from midnight to midnight, and a short name is long enough", async () => {
    const ann = await kith().person();
    const eve = await peers.followed(ann);
    await plan(ann, {
      summary: "X",
      start: "2026-03-29",
      all_day: true,
      timezone: "Europe/Berlin",
    });
    await kith().settle();
    const { activity } = peers.deliveredTo(eve).at(-1) ?? assert.fail();
    const object = activity["object"] as JsonObject;
    assert.equal(object["startTime"], "2026-03-29T00:00:00+01:00");
    assert.equal(object["endTime"], "2026-03-30T00:00:00+02:00");
    assert.equal(object["name"], "X..");
    assert.match(textIn(object["summary"]), /March 29, 2026$/);
  });

  test("from another Kith an event comes as it is there, and says nothing twice", async () => {
    const ann = await kith().person();
    const eve = await peers.followed(ann);
    const details = [
      {
        description: "Bring *cake*",
        ...{ start: "2026-05-01", all_day: true },
      },
      { description: "", location: "The barn" },
    ];
    for (const [at, more] of details.entries()) {
      const summary = `Feast ${at}`;
      const event = await plan(ann, {
        ...{ start: "2026-05-01T18:00Z", end: "2026-05-01T20:00Z" },
        ...{ summary, timezone: "Asia/Tokyo", ...more },
      });
      const [post] = await ann.get<PostRecord[]>("/posts");
      await kith().settle();
      const { activity } = peers.deliveredTo(eve).at(-1) ?? assert.fail();
      const {
        id: _,
        guid: __,
        attributedTo: ___,
        ...object
      } = activity["object"] as JsonObject;
      const sent = eve.note({ ...object, to: [PUBLIC], cc: [], url: null });
      await eve.deliver(kith(), eve.activity("Create", { object: sent }));
      const there = (await eventOf(ann, eve, summary)) ?? assert.fail();
      assert.equal(there.Start, event.Start);
      assert.equal(there.End, event.End);
      assert.equal(there.AllDay, event.AllDay);
      assert.equal(there.Description, event.Description);
      const posts = await ann.get<PostRecord[]>("/posts");
      const announcement = posts.find(({ Event }) => Event?.ID === there.ID);
      assert.equal(announcement?.Text, post?.Text);
    }
  });

  test("at midnight in its zone and without an end it lasts the day", async () => {
    const ann = await kith().person();
    const eve = await peers.followed(ann);
    const sent = eve.note({
      ...{ type: "Event", name: "Fast", timezone: "Europe/Berlin" },
      ...{ startTime: "2026-05-01T00:00:00+02:00", to: [PUBLIC] },
    });
    await eve.deliver(kith(), eve.activity("Create", { object: sent }));
    const event = (await eventOf(ann, eve, "Fast")) ?? assert.fail();
    assert.deepEqual([event.AllDay, event.Start], [true, "2026-05-01"]);
  });

  test("an event for an aspect, and its changes, reach only its members", async () => {
    const ann = await kith().person();
    const [eve, out] = [await peers.followed(ann), await peers.followed(ann)];
    const record = await ann.post<PersonRecord>("/search", {
      handle: eve.handle,
    });
    const aspectID = await aspectOf(ann, { record });
    const before = peers.deliveredTo(out).length;
    const event = await plan(ann, { summary: "Quiet feast", aspectID });
    await kith().settle();
    const create = peers.deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    const object = create["object"] as JsonObject;
    assert.equal(object["type"], "Event");
    assert.deepEqual(object["to"], [eve.id]);
    await ann.put(`/calendar/events/${event.ID}`, {
      ...{ start: event.Start, end: event.End ?? "" },
      summary: "Quieter feast",
    });
    await kith().settle();
    const update = peers.deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(update["type"], "Update");
    assert.deepEqual(update["to"], [eve.id]);
    for (const uri of [object["id"], update["id"]].map(textIn)) {
      assert.equal((await eve.get(kith(), uri)).status, 200);
      assert.equal((await out.get(kith(), uri)).status, 404);
      assert.equal((await ask(uri)).status, 404);
    }
    // People who may not see it cannot answer, and learn nothing.
    const uri = textIn(object["id"]);
    for (const type of ["Join", "Accept"]) {
      const activity = out.activity(type, { object: uri });
      await out.deliver(kith(), activity);
    }
    assert.deepEqual(await answersTo(ann, event), []);
    assert.equal(peers.deliveredTo(out).length, before);
    await eve.deliver(kith(), eve.activity("Join", { object: uri }));
    assert.deepEqual(await answersTo(ann, event), [`${eve.handle} accepted`]);
  });
});
