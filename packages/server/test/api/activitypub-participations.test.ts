import assert from "node:assert/strict";
import { test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, objectOf, read } from "../support/remote/linked-data.ts";
import {
  answersTo,
  eventOf,
  textIn,
  usePlanners,
} from "../support/scenes/planners.ts";
import { plan } from "../support/scenes/planning.ts";
import type { EventRecord, PostRecord } from "../support/server/wire.ts";

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

  test("a Join is a participation and is accepted by its id; a Leave ends it", async () => {
    const ann = await kith().person();
    const jon = peers.stranger();
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const values = {
      alice: actorOf(kith(), ann.username),
      aliceEvent: objectOf(kith(), post?.Guid ?? ""),
    };
    const join = await peers.bring("mobilizon-join", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    const [accept, ...others] = peers.sent(jon, "Accept");
    assert.deepEqual(others, []);
    const { id, type, actor, object } = join;
    assert.deepEqual(accept?.["object"], { id, type, actor, object });
    assert.equal(accept?.["actor"], values.alice);
    const served = await read(values.aliceEvent);
    assert.equal(served["participantCount"], 1);
    await peers.bring("mobilizon-leave", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), []);
    // Again, and undone in the older way.
    const rejoin = { ...join, id: jon.newId("joins") };
    await jon.deliver(kith(), rejoin);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    const eve = peers.stranger();
    const stolen = eve.activity("Undo", { object: rejoin });
    await eve.deliver(kith(), stolen);
    const leaving = eve.activity("Leave", { object: values.aliceEvent });
    await eve.deliver(kith(), leaving);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    await jon.deliver(kith(), jon.activity("Undo", { object: rejoin }));
    assert.deepEqual(await answersTo(ann, event), []);
  });

  test("a Join of a full event is rejected, until a participant leaves", async () => {
    const ann = await kith().person();
    const [jon, eve] = [peers.stranger(), peers.stranger()];
    const event = await plan(ann, { summary: "Table for one" });
    await kith().db.transaction((tx) =>
      tx
        .updateTable("events")
        .set({ capacity: 1 })
        .where("id", "=", event.ID)
        .execute(),
    );
    const [post] = await ann.get<PostRecord[]>("/posts");
    const object = objectOf(kith(), post?.Guid ?? "");
    const join = (by: typeof jon) =>
      by.deliver(kith(), by.activity("Join", { object }));
    await join(jon);
    await join(eve);
    assert.deepEqual(await answersTo(ann, event), [`${jon.handle} accepted`]);
    assert.equal(peers.sent(jon, "Accept").length, 1);
    assert.equal(peers.sent(eve, "Accept").length, 0);
    assert.equal(peers.sent(eve, "Reject").length, 1);
    await jon.deliver(kith(), jon.activity("Leave", { object }));
    await join(eve);
    assert.equal(peers.sent(eve, "Accept").length, 1);
  });

  test("no one joins for another person", async () => {
    const ann = await kith().person();
    const [carol, mallory] = [peers.stranger(), peers.stranger()];
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const join = await peers.read(
      "evil-join-for-someone-else",
      "carol",
      carol,
      { aliceEvent: objectOf(kith(), post?.Guid ?? "") },
    );
    const forged = { ...join, id: mallory.newId("activities") };
    const { status } = await mallory.send(kith(), forged, {
      signedBy: mallory,
    });
    assert.equal(status, 401);
    await kith().settle();
    assert.deepEqual(peers.sent(carol, "Accept"), []);
    assert.deepEqual(await answersTo(ann, event), []);
  });

  test("Friendica accepts, wavers and rejects the event itself, and takes it back", async () => {
    const ann = await kith().person();
    const gil = peers.stranger();
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const values = {
      alice: actorOf(kith(), ann.username),
      aliceEvent: objectOf(kith(), post?.Guid ?? ""),
    };
    const statuses = { yes: "accepted", maybe: "tentative", no: "declined" };
    let last: JsonObject = {};
    for (const [word, status] of Object.entries(statuses)) {
      last = await peers.bring(`friendica-attend-${word}`, "gil", gil, values);
      assert.deepEqual(await answersTo(ann, event), [
        `${gil.handle} ${status}`,
      ]);
    }
    const undo = gil.activity("Undo", { object: last["id"] ?? null });
    await gil.deliver(kith(), undo);
    assert.deepEqual(await answersTo(ann, event), []);
    // Nothing was asked for.
    assert.deepEqual(peers.sent(gil, "Accept"), []);
  });

  test("an older answer that comes late changes nothing", async () => {
    const ann = await kith().person();
    const gil = peers.stranger();
    const event = await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const object = objectOf(kith(), post?.Guid ?? "");
    const say = (type: string, published?: string) =>
      gil.deliver(
        kith(),
        gil.activity(type, {
          object,
          ...(published === undefined ? {} : { published }),
        }),
      );
    const is = async (status: string) =>
      assert.deepEqual(await answersTo(ann, event), [
        `${gil.handle} ${status}`,
      ]);
    await say("Accept", "2026-01-01T10:00:00Z");
    await say("Reject", "2026-01-01T12:00:00Z");
    await say("TentativeAccept", "2026-01-01T11:00:00Z");
    await is("declined");
    // Within one second the later arrival counts, and so does an answer without a time.
    await say("Accept", "2026-01-01T12:00:00Z");
    await is("accepted");
    await say("TentativeAccept");
    await is("tentative");
  });

  test("a participant of a Mobilizon event joins with one id, leaves, and gets the host's answer", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await peers.followed(ann);
    await peers.bring("mobilizon-create-event", "jon", jon);
    const event = (await eventOf(ann, jon, "Repair café")) ?? assert.fail();
    await answer(ann, event, "tentative");
    assert.deepEqual(peers.sent(jon, "Leave"), []);
    await answer(ann, event, "accepted");
    const [join] = peers.sent(jon, "Join");
    const alice = actorOf(kith(), ann.username);
    const aliceJoin = textIn(join?.["id"]);
    assert.equal(join?.["actor"], alice);
    assert.equal(join?.["object"], `${peers.origin()}/${jon.name}/events/5f0c`);
    assert.equal((await jon.get(kith(), aliceJoin)).status, 200);
    const values = { alice, aliceJoin };
    const eve = peers.stranger();
    const reply = await peers.read("mobilizon-reject-join", "jon", jon, values);
    // Only the host lets people in or keeps them out.
    const forged = eve.activity("Reject", { object: reply["object"] ?? null });
    await eve.deliver(kith(), forged);
    const accepted = [`${ann.handle} accepted`];
    assert.deepEqual(await answersTo(ann, event), accepted);
    await peers.bring("mobilizon-accept-join", "jon", jon, values);
    assert.deepEqual(await answersTo(ann, event), accepted);
    await answer(ann, event, "declined");
    const [leave] = peers.sent(jon, "Leave");
    assert.equal(leave?.["object"], join?.["object"]);
    await answer(ann, event, "accepted");
    assert.deepEqual(
      peers.sent(jon, "Join").map(({ id }) => id),
      [aliceJoin, aliceJoin],
    );
    await jon.deliver(kith(), reply);
    assert.deepEqual(await answersTo(ann, event), [`${ann.handle} declined`]);
    assert.equal(peers.sent(jon, "Leave").length, 1);
    assert.deepEqual(await answersTo(bob, event), [`${ann.handle} declined`]);
  });

  test("Friendica is answered in its own form, and servers without support get no answer", async () => {
    const ann = await kith().person();
    const gil = await peers.followed(ann);
    const before = peers.deliveredTo(gil).length;
    await peers.bring("friendica-create-event", "gil", gil);
    const ride = (await eventOf(ann, gil, "Bike ride")) ?? assert.fail();
    for (const status of ["accepted", "tentative", "declined"])
      await answer(ann, ride, status);
    const said = peers.deliveredTo(gil).slice(before);
    assert.deepEqual(
      said.map(({ activity }) => activity["type"]),
      ["Accept", "TentativeAccept", "Reject"],
    );
    for (const { activity } of said)
      assert.equal(
        activity["object"],
        `${peers.origin()}/${gil.name}/objects/3000`,
      );
    const others = [
      ["wordpress-create-event", "kim", "Workshop"],
      ["gancio-create-event", "gancio", "Concert"],
    ] as const;
    for (const [file, name, summary] of others) {
      const peer = await peers.followed(ann);
      const quiet = peers.deliveredTo(peer).length;
      const values = { alice: actorOf(kith(), ann.username) };
      await peers.bring(file, name, peer, values);
      const event = (await eventOf(ann, peer, summary)) ?? assert.fail(summary);
      await answer(ann, event, "accepted");
      assert.equal(peers.deliveredTo(peer).length, quiet, file);
      assert.deepEqual(await answersTo(ann, event), [`${ann.handle} accepted`]);
    }
  });

  test("WordPress says that a Join will not be answered; it is not sent again", async () => {
    const ann = await kith().person();
    const kim = await peers.followed(ann);
    const object = kim.note({
      type: "Event",
      name: "Open lab",
      startTime: "2026-07-21T16:00:00Z",
      endTime: "2026-07-21T18:00:00Z",
      joinMode: "free",
    });
    await kim.deliver(kith(), kim.activity("Create", { object, to: [PUBLIC] }));
    const event = (await eventOf(ann, kim, "Open lab")) ?? assert.fail();
    await answer(ann, event, "accepted");
    const aliceJoin = textIn(peers.sent(kim, "Join")[0]?.["id"]);
    const values = { aliceJoin, alice: actorOf(kith(), ann.username) };
    await peers.bring("wordpress-ignore-join", "kim", kim, {
      ...values,
      host: kith().host,
    });
    await kith().settle();
    assert.equal(peers.sent(kim, "Join").length, 1);
    assert.deepEqual(await answersTo(ann, event), [`${ann.handle} accepted`]);
    const { participations } = kith().server.features;
    const guid = aliceJoin.split("/").at(-1) ?? "";
    const kept = await participations.find({ guid });
    assert.equal(kept?.reply, "ignored");
  });
});
