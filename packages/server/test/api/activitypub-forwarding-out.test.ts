import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addLdSignature, PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/databases.ts";
import { useKith, type TestPerson } from "../support/kith-server.ts";
import { actorOf, carriedOut, objectOf } from "../support/linked-data.ts";
import { idOf, proving } from "../support/proving-actor.ts";
import { RemoteServer, type RemoteActor } from "../support/remote-server.ts";
import type {
  AspectRecord,
  PersonRecord,
  PostRecord,
} from "../support/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let near: RemoteServer;
  let far: RemoteServer;
  let names = 0;
  before(async () => {
    [near, far] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([near.close(), far.close()]));

  /** Ann here, whom Bob, on one server, and Cid, on another one, follow and she them. */
  async function threePeople() {
    names += 1;
    const ann = await kith().person();
    const bob = near.actor(`bob${names}`);
    const cid = far.actor(`cid${names}`);
    const prove = proving(bob);
    for (const other of [bob, cid]) {
      await other.tell(
        kith(),
        other.activity("Follow", { object: actorOf(kith(), ann.username) }),
      );
      await carriedOut(kith(), ann, { type: "Follow", object: other.id });
    }
    await kith().settle();
    return { ann, bob, cid, prove };
  }

  async function publish(ann: TestPerson, more: object = {}): Promise<string> {
    const { Guid } = await ann.post<PostRecord>("/posts", {
      post: "What do you say?",
      ...more,
    });
    await kith().settle();
    far.delivered.length = 0;
    near.delivered.length = 0;
    return Guid;
  }

  const commentBy = (bob: RemoteActor, guid: string, more: JsonObject = {}) =>
    bob.note({
      inReplyTo: objectOf(kith(), guid),
      content: "<p>Bob says yes</p>",
      ...more,
    });

  const arrived = () => far.delivered.map(({ activity }) => activity["type"]);

  test("a comment with a proof, its edit, its deletion and a like go on unchanged, in their order, once", async () => {
    const { ann, bob, prove } = await threePeople();
    const guid = await publish(ann);
    const note = commentBy(bob, guid);
    const addressed = { to: [PUBLIC], cc: [] };
    const create = bob.activity("Create", { ...addressed, object: note });
    const edited = {
      ...note,
      content: "<p>No</p>",
      updated: "2026-01-03T00:00:00Z",
    };
    const update = bob.activity("Update", { ...addressed, object: edited });
    const like = bob.activity("Like", { object: objectOf(kith(), guid) });
    const undo = bob.activity("Undo", { ...addressed, object: like });
    const remove = bob.activity("Delete", {
      ...addressed,
      object: note["id"] ?? "",
    });
    const sent = [create, update, like, undo, remove].map((one) => prove(one));
    for (const one of sent) await bob.tell(kith(), one);
    // It also comes to her own inbox.
    const to = `/api/v1/ap/person/${ann.username}/inbox`;
    for (const one of sent) await bob.tell(kith(), one, { to });
    assert.deepEqual(
      far.delivered.map(({ body }) => body.toString()),
      sent.map((one) => JSON.stringify(one)),
    );
    for (const { headers } of far.delivered)
      assert.match(
        String(headers["signature"]),
        new RegExp(`keyId="${actorOf(kith(), ann.username)}/actor#main-key"`),
      );
    assert.equal(near.delivered.length, 0);
  });

  test("a signature of what it means is enough to pass it on", async () => {
    const { ann, bob } = await threePeople();
    const guid = await publish(ann);
    const object = commentBy(bob, guid);
    const create = bob.activity("Create", { to: [PUBLIC], cc: [], object });
    const signed = await addLdSignature(create, {
      keyId: bob.keyId,
      privateKey: bob.privateKey,
      now: kith().clock.now(),
    });
    await bob.tell(kith(), signed);
    assert.deepEqual(
      far.delivered.map(({ body }) => body.toString()),
      [JSON.stringify(signed)],
    );
  });

  test("without either, the post is told anew, at most once in a minute, and shows what was said", async () => {
    const { ann, bob, cid } = await threePeople();
    const guid = await publish(ann);
    const said: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      const object = commentBy(bob, guid);
      said.push(idOf(object));
      await bob.tell(kith(), bob.activity("Create", { to: [PUBLIC], object }));
    }
    assert.ok(arrived().length <= 2, JSON.stringify(arrived()));
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
    const { object } = far.delivered[0]?.activity as { object: JsonObject };
    const id = objectOf(kith(), guid);
    assert.equal(object["id"], id);
    assert.equal(object["replies"], `${id}/replies`);
    assert.equal((object["likes"] as JsonObject)["totalItems"], 0);
    assert.equal((object["shares"] as JsonObject)["totalItems"], 0);
    assert.equal("updated" in object, false);
    const page = await cid.get(kith(), `${id}/replies?page=1`);
    const { orderedItems } = JSON.parse(page.text) as JsonObject;
    assert.deepEqual(new Set(orderedItems as string[]), new Set(said));
  });

  test("what is said of a limited post is never passed on: its members are told to look", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "few",
    });
    for (const { handle } of [bob, cid]) {
      const { ID } = await ann.post<PersonRecord>("/search", { handle });
      await ann.post(`/people/${ID}/aspects/${aspectID}`);
    }
    const guid = await publish(ann, { aspectID });
    const object = commentBy(bob, guid, {
      to: [actorOf(kith(), ann.username)],
    });
    const to = [PUBLIC];
    const create = prove(bob.activity("Create", { to, object }));
    await bob.tell(kith(), create);
    const id = objectOf(kith(), guid);
    const like = prove(bob.activity("Like", { object: id }));
    await bob.tell(kith(), like);
    assert.ok(arrived().length > 0);
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
    const update = far.delivered[0]?.activity as JsonObject;
    assert.deepEqual(update["to"], [cid.id]);
    assert.equal("proof" in update, false);
    const page = await cid.get(kith(), `${id}/replies?page=1`);
    const { orderedItems } = JSON.parse(page.text) as JsonObject;
    assert.deepEqual(orderedItems, [create]);
    const thread = `${id.replace("/object/", "/context/")}?page=1`;
    const whole = JSON.parse(
      (await cid.get(kith(), thread)).text,
    ) as JsonObject;
    assert.deepEqual(whole["orderedItems"], [id, create, like]);
    assert.equal(near.delivered.length, 0, "It knows what it said");
    const stranger = far.actor("stranger");
    for (const url of [`${id}/replies`, `${id}/replies?page=1`, thread])
      assert.equal((await stranger.get(kith(), url)).status, 404);
  });

  test("what is not public, or not the actor's, is not passed on", async () => {
    const { ann, bob, prove } = await threePeople();
    const guid = await publish(ann);
    const mallory = near.actor(`mallory${names}`);
    const forAnn = commentBy(bob, guid, {
      to: [actorOf(kith(), ann.username)],
    });
    const to = [actorOf(kith(), ann.username)];
    const secret = prove(bob.activity("Create", { to, object: forAnn }));
    await bob.tell(kith(), secret);
    const object = mallory.note({ inReplyTo: objectOf(kith(), guid) });
    const byOther = mallory.activity("Create", { to: [PUBLIC], object });
    // Bob's key says nothing about what Mallory says.
    await mallory.tell(kith(), prove(byOther));
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
  });
});
