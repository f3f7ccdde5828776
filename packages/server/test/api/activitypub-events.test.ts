import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/databases.ts";
import { useKith, type TestPerson } from "../support/kith-server.ts";
import {
  actorOf,
  ask,
  carriedOut,
  objectOf,
  read,
} from "../support/linked-data.ts";
import { readPeerVector } from "../support/peer-vectors.ts";
import { aspectOf, plan } from "../support/planning.ts";
import { RemoteServer, type RemoteActor } from "../support/remote-server.ts";
import type {
  EventRecord,
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/wire.ts";

type PeerName = Parameters<typeof readPeerVector>[2][0];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`planner${++names}`);
  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = stranger();
    await carriedOut(kith(), by, { type: "Follow", object: other.id });
    await kith().settle();
    return other;
  };
  const sent = (actor: RemoteActor, type: string) =>
    remote
      .ofType(type)
      .map(({ activity }) => activity)
      .filter(({ to, cc }) => [to, cc].flat().includes(actor.id));
  const deliveredTo = (actor: RemoteActor) =>
    remote.delivered.filter(({ path }) =>
      path.startsWith(`${new URL(actor.id).pathname}/`),
    );
  /** An event of this peer's. */
  const eventOf = async (
    by: TestPerson,
    { handle }: RemoteActor,
    summary: string,
  ) => {
    for (let offset = 0; ;) {
      const page = await by.get<EventRecord[]>("/calendar/events", { offset });
      const found = page.find(
        ({ Summary, Person }) =>
          Summary === summary && Person.Author === handle,
      );
      if (found || page.length === 0) return found;
      offset += page.length;
    }
  };
  const bring = async (
    file: string,
    name: PeerName,
    actor: RemoteActor,
    values: Record<string, string> = {},
  ): Promise<JsonObject> => {
    const by = [name, actor] as const;
    const activity = await readPeerVector(file, remote, by, values);
    await actor.tell(kith(), activity);
    return activity;
  };
  const answer = async (
    by: TestPerson,
    { ID }: EventRecord,
    status: string,
  ) => {
    await by.put(`/calendar/events/${ID}/participation`, { status });
    await kith().settle();
  };
  const answersTo = async (by: TestPerson, { ID }: { ID: number }) =>
    (await by.get<EventRecord>(`/calendar/events/${ID}`)).Participations.map(
      (it) => `${it.Person.Author} ${it.Status}`,
    );

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
      const peer = await followed(ann);
      const values = { alice: actorOf(kith(), ann.username) };
      await bring(one.file, one.name, peer, values);
      const event =
        (await eventOf(bob, peer, one.summary)) ?? assert.fail(one.file);
      assert.equal(event.Start, one.start, one.file);
      assert.equal(event.End, one.end, one.file);
      assert.equal(event.Timezone, one.zone, one.file);
      assert.equal(event.Location, one.location, one.file);
      assert.equal(event.Description, one.description, one.file);
      assert.equal(event.Public, true, one.file);
      assert.equal(event.AllDay, false, one.file);
      assert.equal(event.Status, "confirmed", one.file);
      assert.equal(event.Person.Author, peer.handle, one.file);
      const posts = await bob.get<PostRecord[]>("/posts");
      const post = posts.find(({ Event }) => Event?.ID === event.ID);
      assert.match(post?.Text ?? "", new RegExp(`^## ${one.summary}\n`));
    }
  });

  test("a cancelled event is shown as cancelled, and who comes is told; a deleted one is gone", async () => {
    const ann = await kith().person();
    const jon = await followed(ann);
    await bring("mobilizon-create-event", "jon", jon);
    const event = (await eventOf(ann, jon, "Repair café")) ?? assert.fail();
    await answer(ann, event, "accepted");
    const forger = await followed(ann);
    const cancel = await readPeerVector(
      "mobilizon-update-event-cancelled",
      remote,
      ["jon", jon],
    );
    const forged = { object: cancel["object"] ?? null };
    await forger.tell(kith(), forger.activity("Update", forged));
    const path = `/calendar/events/${event.ID}`;
    assert.equal((await ann.get<EventRecord>(path)).Status, "confirmed");
    await jon.tell(kith(), cancel);
    await jon.tell(kith(), cancel);
    const cancelled = await ann.get<EventRecord>(path);
    assert.equal(cancelled.Status, "cancelled");
    assert.equal(cancelled.Start, event.Start);
    assert.equal(cancelled.Guid, event.Guid);
    const told = await ann.get<NotificationRecord[]>("/notifications");
    const about = told.filter(
      ({ ShareableGuid }) => ShareableGuid === event.Guid,
    );
    assert.deepEqual(
      about.map(({ ShareableType }) => ShareableType),
      ["Event"],
    );
    const gancio = await followed(ann);
    const values = { alice: actorOf(kith(), ann.username) };
    await bring("gancio-create-event", "gancio", gancio, values);
    const concert = (await eventOf(ann, gancio, "Concert")) ?? assert.fail();
    const gone = await readPeerVector("gancio-delete-event", remote, [
      "gancio",
      gancio,
    ]);
    const stolen = {
      ...gone,
      id: forger.newId("activities"),
      actor: forger.id,
    };
    await forger.tell(kith(), stolen);
    assert.ok(await eventOf(ann, gancio, "Concert"));
    await gancio.tell(kith(), gone);
    await ann.notFound("GET", `/calendar/events/${concert.ID}`);
  });

  test("an event for some is seen by those alone, and a later change stays with them", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await followed(ann);
    const to = [actorOf(kith(), ann.username)];
    const object = jon.note({
      type: "Event",
      name: "Secret dinner",
      startTime: "2026-12-24T23:00:00Z",
      endTime: "2026-12-26T23:00:00Z",
      timezone: "Europe/Berlin",
      to,
    });
    await jon.tell(kith(), jon.activity("Create", { object, to }));
    const event = (await eventOf(ann, jon, "Secret dinner")) ?? assert.fail();
    assert.equal(event.AllDay, true);
    assert.equal(event.Start, "2026-12-25");
    assert.equal(await eventOf(bob, jon, "Secret dinner"), undefined);
    const changed = { ...object, name: "Open dinner", to: [PUBLIC] };
    await jon.tell(kith(), jon.activity("Update", { object: changed }));
    assert.equal((await eventOf(ann, jon, "Open dinner"))?.ID, event.ID);
    await bob.notFound("GET", `/calendar/events/${event.ID}`);
  });

  test("an event goes out as an Event, changed as an Update, and is deleted as one", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const event = await plan(ann, {
      summary: "Garden party",
      description: "Bring *cake*",
      location: "Garden\nMain road 5",
      start: "2026-07-14T15:30:00Z",
      end: "2026-07-14T18:00:00Z",
      timezone: "Europe/Vienna",
    });
    await kith().settle();
    const create = deliveredTo(eve).at(-1)?.activity ?? assert.fail();
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
      String(object["summary"]),
      /July 14, 2026.*Garden, Main road 5/,
    );
    assert.match(String(object["content"]), /Bring <em>cake<\/em>/);
    for (const item of object["attachment"] as JsonObject[])
      assert.equal(typeof item["mediaType"], "string");
    const served = await read(String(object["id"]));
    assert.equal(served["type"], "Event");

    await ann.put(`/calendar/events/${event.ID}`, {
      ...{ start: event.Start, end: event.End ?? "" },
      summary: "Garden fête",
    });
    await kith().settle();
    const update = deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(update["type"], "Update");
    const changed = update["object"] as JsonObject;
    assert.equal(changed["id"], object["id"]);
    assert.equal(changed["name"], "Garden fête");
    assert.ok(String(changed["updated"]) >= String(changed["published"]));
    assert.equal((await ask(String(update["id"]))).status, 200);

    await ann.delete(`/calendar/events/${event.ID}`);
    await kith().settle();
    const gone = deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(gone["type"], "Delete");
    const tombstone = gone["object"] as JsonObject;
    assert.equal(tombstone["id"], object["id"]);
    assert.equal(tombstone["formerType"], "Event");
  });

  test("a whole day is from midnight to midnight, and a short name is long enough", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    await plan(ann, {
      summary: "X",
      start: "2026-03-29",
      all_day: true,
      timezone: "Europe/Berlin",
    });
    await kith().settle();
    const { activity } = deliveredTo(eve).at(-1) ?? assert.fail();
    const object = activity["object"] as JsonObject;
    assert.equal(object["startTime"], "2026-03-29T00:00:00+01:00");
    assert.equal(object["name"], "X..");
    assert.match(String(object["summary"]), /March 29, 2026$/);
  });

  test("an event for an aspect, and what becomes of it, reaches its members alone", async () => {
    const ann = await kith().person();
    const [eve, out] = [await followed(ann), await followed(ann)];
    const record = await ann.post<PersonRecord>("/search", {
      handle: eve.handle,
    });
    const aspectID = await aspectOf(ann, { record });
    const before = deliveredTo(out).length;
    const event = await plan(ann, { summary: "Quiet feast", aspectID });
    await kith().settle();
    const create = deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    const object = create["object"] as JsonObject;
    assert.equal(object["type"], "Event");
    assert.deepEqual(object["to"], [eve.id]);
    await ann.put(`/calendar/events/${event.ID}`, {
      ...{ start: event.Start, end: event.End ?? "" },
      summary: "Quieter feast",
    });
    await kith().settle();
    const update = deliveredTo(eve).at(-1)?.activity ?? assert.fail();
    assert.equal(update["type"], "Update");
    assert.deepEqual(update["to"], [eve.id]);
    for (const uri of [object["id"], update["id"]].map(String)) {
      assert.equal((await eve.get(kith(), uri)).status, 200);
      assert.equal((await out.get(kith(), uri)).status, 404);
      assert.equal((await ask(uri)).status, 404);
    }
    // Who may not see it does not come, and learns nothing.
    const uri = String(object["id"]);
    for (const type of ["Join", "Accept"]) {
      const activity = out.activity(type, { object: uri });
      await out.tell(kith(), activity);
    }
    assert.deepEqual(await answersTo(ann, event), []);
    assert.equal(deliveredTo(out).length, before);
    await eve.tell(kith(), eve.activity("Join", { object: uri }));
    assert.deepEqual(await answersTo(ann, event), [`${eve.handle} accepted`]);
  });

  test("a Join is a participation and is accepted just as it came; a Leave ends it", async () => {
    const ann = await kith().person();
    const jon = stranger();
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const values = {
      alice: actorOf(kith(), ann.username),
      aliceEvent: objectOf(kith(), post?.Guid ?? ""),
    };
    const join = await bring("mobilizon-join", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    const [accept, ...others] = sent(jon, "Accept");
    assert.deepEqual(others, []);
    const { "@context": _, ...answered } = join;
    assert.deepEqual(accept?.["object"], answered);
    assert.equal(accept?.["actor"], values.alice);
    const served = await read(values.aliceEvent);
    assert.equal(served["participantCount"], 1);
    await bring("mobilizon-leave", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), []);
    // Again, and undone in the older way.
    const rejoin = { ...join, id: jon.newId("joins") };
    await jon.tell(kith(), rejoin);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    const eve = stranger();
    const stolen = eve.activity("Undo", { object: rejoin });
    await eve.tell(kith(), stolen);
    const leaving = eve.activity("Leave", { object: values.aliceEvent });
    await eve.tell(kith(), leaving);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    await jon.tell(kith(), jon.activity("Undo", { object: rejoin }));
    assert.deepEqual(await answersTo(ann, event), []);
  });

  test("nobody joins for somebody else", async () => {
    const ann = await kith().person();
    const [carol, mallory] = [stranger(), stranger()];
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const join = await readPeerVector(
      "evil-join-for-someone-else",
      remote,
      ["carol", carol],
      { aliceEvent: objectOf(kith(), post?.Guid ?? "") },
    );
    const forged = { ...join, id: mallory.newId("activities") };
    const { status } = await mallory.send(kith(), forged, {
      signedBy: mallory,
    });
    assert.equal(status, 401);
    await kith().settle();
    assert.deepEqual(sent(carol, "Accept"), []);
    assert.deepEqual(await answersTo(ann, event), []);
  });

  test("Friendica accepts, wavers and rejects the event itself, and takes it back", async () => {
    const ann = await kith().person();
    const gil = stranger();
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const values = {
      alice: actorOf(kith(), ann.username),
      aliceEvent: objectOf(kith(), post?.Guid ?? ""),
    };
    const statuses = { yes: "accepted", maybe: "tentative", no: "declined" };
    let last: JsonObject = {};
    for (const [word, status] of Object.entries(statuses)) {
      last = await bring(`friendica-attend-${word}`, "gil", gil, values);
      assert.deepEqual(await answersTo(ann, event), [
        `${gil.handle} ${status}`,
      ]);
    }
    const undo = gil.activity("Undo", { object: last["id"] ?? null });
    await gil.tell(kith(), undo);
    assert.deepEqual(await answersTo(ann, event), []);
    // Nothing was asked for.
    assert.deepEqual(sent(gil, "Accept"), []);
  });

  test("who comes to Mobilizon joins by one id, leaves, and hears what the host says", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await followed(ann);
    await bring("mobilizon-create-event", "jon", jon);
    const event = (await eventOf(ann, jon, "Repair café")) ?? assert.fail();
    await answer(ann, event, "tentative");
    assert.deepEqual(sent(jon, "Leave"), []);
    await answer(ann, event, "accepted");
    const [join] = sent(jon, "Join");
    const alice = actorOf(kith(), ann.username);
    const aliceJoin = String(join?.["id"]);
    assert.equal(join?.["actor"], alice);
    assert.equal(join?.["object"], `${remote.origin}/${jon.name}/events/5f0c`);
    assert.equal((await jon.get(kith(), aliceJoin)).status, 200);
    const values = { alice, aliceJoin };
    const eve = stranger();
    const reply = await readPeerVector(
      "mobilizon-reject-join",
      remote,
      ["jon", jon],
      values,
    );
    // Only the host lets people in or keeps them out.
    const forged = eve.activity("Reject", { object: reply["object"] ?? null });
    await eve.tell(kith(), forged);
    const accepted = [`${ann.handle} accepted`];
    assert.deepEqual(await answersTo(ann, event), accepted);
    await bring("mobilizon-accept-join", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), accepted);
    await answer(ann, event, "declined");
    const [leave] = sent(jon, "Leave");
    assert.equal(leave?.["object"], join?.["object"]);
    await answer(ann, event, "accepted");
    assert.deepEqual(
      sent(jon, "Join").map(({ id }) => id),
      [aliceJoin, aliceJoin],
    );
    await jon.tell(kith(), reply);
    assert.deepEqual(await answersTo(ann, event), [`${ann.handle} declined`]);
    assert.equal(sent(jon, "Leave").length, 1);
    assert.deepEqual(await answersTo(bob, event), [`${ann.handle} declined`]);
  });

  test("Friendica is answered in its own way, and who takes no answer gets none", async () => {
    const ann = await kith().person();
    const gil = await followed(ann);
    const before = deliveredTo(gil).length;
    await bring("friendica-create-event", "gil", gil);
    const ride = (await eventOf(ann, gil, "Bike ride")) ?? assert.fail();
    for (const status of ["accepted", "tentative", "declined"])
      await answer(ann, ride, status);
    const said = deliveredTo(gil).slice(before);
    assert.deepEqual(
      said.map(({ activity }) => activity["type"]),
      ["Accept", "TentativeAccept", "Reject"],
    );
    for (const { activity } of said)
      assert.equal(
        activity["object"],
        `${remote.origin}/${gil.name}/objects/3000`,
      );
    const others = [
      ["wordpress-create-event", "kim", "Workshop"],
      ["gancio-create-event", "gancio", "Concert"],
    ] as const;
    for (const [file, name, summary] of others) {
      const peer = await followed(ann);
      const quiet = deliveredTo(peer).length;
      const values = { alice: actorOf(kith(), ann.username) };
      await bring(file, name, peer, values);
      const event = (await eventOf(ann, peer, summary)) ?? assert.fail(summary);
      await answer(ann, event, "accepted");
      assert.equal(deliveredTo(peer).length, quiet, file);
      assert.deepEqual(await answersTo(ann, event), [`${ann.handle} accepted`]);
    }
  });

  test("WordPress says that a Join will not be answered; it is not sent again", async () => {
    const ann = await kith().person();
    const kim = await followed(ann);
    const object = kim.note({
      type: "Event",
      name: "Open lab",
      startTime: "2026-07-21T16:00:00Z",
      endTime: "2026-07-21T18:00:00Z",
      joinMode: "free",
    });
    await kim.tell(kith(), kim.activity("Create", { object, to: [PUBLIC] }));
    const event = (await eventOf(ann, kim, "Open lab")) ?? assert.fail();
    await answer(ann, event, "accepted");
    const aliceJoin = String(sent(kim, "Join")[0]?.["id"]);
    const values = { aliceJoin, alice: actorOf(kith(), ann.username) };
    await bring("wordpress-ignore-join", "kim", kim, {
      ...values,
      host: kith().host,
    });
    await kith().settle();
    assert.equal(sent(kim, "Join").length, 1);
    assert.deepEqual(await answersTo(ann, event), [`${ann.handle} accepted`]);
    const { participations } = kith().server.features;
    const guid = aliceJoin.split("/").at(-1) ?? "";
    const kept = await participations.find({ guid });
    assert.equal(kept?.reply, "ignored");
  });
});
