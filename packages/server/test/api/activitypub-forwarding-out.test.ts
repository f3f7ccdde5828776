import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  addLdSignature,
  loadJsonLd,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  objectOf,
} from "../support/remote/linked-data.ts";
import { idOf, proving } from "../support/remote/proving-actor.ts";
import { plan } from "../support/scenes/planning.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  ParticipationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

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

  /** Ann here has mutual contacts with Bob and Cid, on two servers. */
  async function threePeople() {
    names += 1;
    const ann = await kith().person();
    const bob = near.actor(`bob${names}`);
    const cid = far.actor(`cid${names}`);
    const prove = proving(bob);
    for (const other of [bob, cid]) {
      await other.deliver(
        kith(),
        other.activity("Follow", { object: actorOf(kith(), ann.username) }),
      );
      await submitAndApply(kith(), ann, { type: "Follow", object: other.id });
    }
    await kith().settle();
    return { ann, bob, cid, prove };
  }

  async function publish(ann: TestPerson, more: object = {}): Promise<string> {
    const { Guid } = await ann.post<PostRecord>("/posts", {
      post: "What do you say?",
      ...more,
    });
    await settleBefore();
    return Guid;
  }

  /** Sends the pending announcements of earlier tests. */
  async function settleBefore(): Promise<void> {
    await settleLate();
    far.delivered.length = 0;
    near.delivered.length = 0;
  }

  /** Sends what still waits for its time. */
  async function settleLate(): Promise<void> {
    kith().clock.advance(60_000);
    await kith().settle();
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
    for (const one of sent) await bob.deliver(kith(), one);
    // It also comes to her own inbox.
    const to = `/api/v1/ap/person/${ann.username}/inbox`;
    for (const one of sent) await bob.deliver(kith(), one, { to });
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

  test("an LD signature suffices for forwarding", async () => {
    const { ann, bob } = await threePeople();
    const guid = await publish(ann);
    const object = commentBy(bob, guid);
    const create = bob.activity("Create", { to: [PUBLIC], cc: [], object });
    const signed = await addLdSignature(
      create,
      {
        keyId: bob.keyId,
        privateKey: bob.privateKey,
        now: kith().clock.now(),
      },
      await loadJsonLd(),
    );
    await bob.deliver(kith(), signed);
    assert.deepEqual(
      far.delivered.map(({ body }) => body.toString()),
      [JSON.stringify(signed)],
    );
  });

  test("without a proof or signature the post is sent again, at most once a minute, with its replies", async () => {
    const { ann, bob, cid } = await threePeople();
    const guid = await publish(ann);
    const said: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      const object = commentBy(bob, guid);
      said.push(idOf(object));
      await bob.deliver(
        kith(),
        bob.activity("Create", { to: [PUBLIC], object }),
      );
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

  test("replies to a limited post are never forwarded: its members are notified to read the thread", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const guid = await publishForFew(ann, [bob, cid]);
    const object = commentBy(bob, guid, {
      to: [actorOf(kith(), ann.username)],
    });
    const to = [PUBLIC];
    const create = prove(bob.activity("Create", { to, object }));
    await bob.deliver(kith(), create);
    const id = objectOf(kith(), guid);
    const like = prove(bob.activity("Like", { object: id }));
    await bob.deliver(kith(), like);
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

  /** A limited post of Ann's for Bob and Cid. */
  async function publishForFew(ann: TestPerson, few: readonly RemoteActor[]) {
    return publish(ann, { aspectID: await aspectOfFew(ann, few) });
  }

  async function aspectOfFew(ann: TestPerson, few: readonly RemoteActor[]) {
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "few",
    });
    for (const { handle } of few) {
      const { ID } = await ann.post<PersonRecord>("/search", { handle });
      await ann.post(`/people/${ID}/aspects/${aspectID}`);
    }
    return aspectID;
  }

  test("an outsider's reply to a limited post, with any proof, is neither stored nor announced", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const guid = await publishForFew(ann, [bob, cid]);
    const id = objectOf(kith(), guid);
    const mallory = near.actor(`mallory${names}`);
    const proveMallory = proving(mallory);
    const to = [actorOf(kith(), ann.username)];
    const own = mallory.note({ inReplyTo: id, to });
    const theirs = commentBy(bob, guid, { to });
    for (const hostile of [
      mallory.activity("Create", { to, object: own }),
      mallory.activity("Create", { to: [PUBLIC], object: own }),
      mallory.activity("Like", { object: id }),
      mallory.activity("Create", { to: [PUBLIC], object: theirs }),
    ])
      await mallory.deliver(kith(), proveMallory(hostile));
    // Bob's own words, brought by her.
    const create = bob.activity("Create", { to, object: theirs });
    await mallory.send(kith(), prove(create));
    await kith().settle();
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(far.delivered, []);
    assert.deepEqual(await ann.get(`/posts/${guid}/comments`), []);
    const page = `${id.replace("/object/", "/context/")}?page=1`;
    const thread = JSON.parse((await cid.get(kith(), page)).text) as JsonObject;
    assert.deepEqual(thread["orderedItems"], [id]);
  });

  test("a retracted reply to a limited post is no longer listed, and its members are notified", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const guid = await publishForFew(ann, [bob, cid]);
    const id = objectOf(kith(), guid);
    const to = [actorOf(kith(), ann.username)];
    const object = commentBy(bob, guid, { to });
    const like = bob.activity("Like", { object: id });
    await bob.deliver(kith(), prove(bob.activity("Create", { to, object })));
    await bob.deliver(kith(), prove(like));
    kith().clock.advance(5_000);
    await kith().settle();
    far.delivered.length = 0;
    await bob.deliver(
      kith(),
      bob.activity("Delete", { to, object: idOf(object) }),
    );
    await bob.deliver(kith(), bob.activity("Undo", { to, object: like }));
    kith().clock.advance(5_000);
    await kith().settle();
    assert.ok(arrived().length > 0);
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
    const page = `${id.replace("/object/", "/context/")}?page=1`;
    const thread = JSON.parse((await cid.get(kith(), page)).text) as JsonObject;
    assert.deepEqual(thread["orderedItems"], [id]);
  });

  test("a reply without a proof, or with an overlong text, is listed only by its id", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const guid = await publishForFew(ann, [bob, cid]);
    const to = [actorOf(kith(), ann.username)];
    const bare = commentBy(bob, guid, { to });
    const long = commentBy(bob, guid, { to, content: "x".repeat(50_000) });
    await bob.deliver(kith(), bob.activity("Create", { to, object: bare }));
    await bob.deliver(
      kith(),
      prove(bob.activity("Create", { to, object: long })),
    );
    const page = `${objectOf(kith(), guid)}/replies?page=1`;
    const { text } = await cid.get(kith(), page);
    const { orderedItems } = JSON.parse(text) as JsonObject;
    assert.deepEqual(
      new Set(orderedItems as string[]),
      new Set([idOf(bare), idOf(long)]),
    );
  });

  test("attendance of a public event is forwarded only with a proof", async () => {
    const { ann, bob, prove } = await threePeople();
    await plan(ann, { summary: "Garden party" });
    const [post] = await ann.get<PostRecord[]>("/posts");
    await settleBefore();
    const event = objectOf(kith(), post?.Guid ?? "");
    const addressed = {
      to: [actorOf(kith(), ann.username)],
      cc: [PUBLIC],
      object: event,
    };
    await bob.deliver(kith(), bob.activity("Join", addressed));
    const join = prove(bob.activity("Join", addressed));
    const leave = prove(bob.activity("Leave", addressed));
    const maybe = prove(bob.activity("TentativeAccept", addressed));
    for (const one of [join, leave, maybe]) await bob.deliver(kith(), one);
    // Sent to Ann only, and so not visible to others.
    const { cc: _, ...toAnn } = addressed;
    await bob.deliver(kith(), prove(bob.activity("Accept", toAnn)));
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(
      far.delivered.map(({ body }) => body.toString()),
      [join, leave, maybe].map((one) => JSON.stringify(one)),
    );
  });

  test("a Join that finds no place is not forwarded", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    await plan(ann, { summary: "Small table", capacity: 1 });
    const [post] = await ann.get<PostRecord[]>("/posts");
    await settleBefore();
    const addressed = {
      to: [actorOf(kith(), ann.username)],
      cc: [PUBLIC],
      object: objectOf(kith(), post?.Guid ?? ""),
    };
    await cid.deliver(kith(), cid.activity("Join", addressed));
    far.delivered.length = 0;
    for (const type of ["Join", "Accept"])
      await bob.deliver(kith(), prove(bob.activity(type, addressed)));
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(arrived(), []);
  });

  /** Ann announces an event to everyone, and wants to confirm its guests. */
  async function planWithApproval(ann: TestPerson) {
    const { ID } = await plan(ann, { summary: "Dinner", approval: true });
    const [post] = await ann.get<PostRecord[]>("/posts");
    await settleBefore();
    const addressed = {
      to: [actorOf(kith(), ann.username)],
      cc: [PUBLIC],
      object: objectOf(kith(), post?.Guid ?? ""),
    };
    return { ID, addressed };
  }

  /** Confirms or refuses the only guest who asks to come. */
  async function replyToGuest(ann: TestPerson, event: number, reply: string) {
    const path = `/calendar/events/${event}/participations`;
    const [guest, ...others] = await ann.get<ParticipationRecord[]>(path);
    assert.deepEqual(others, []);
    await ann.put(`${path}/${guest?.ID}`, { reply });
    await kith().settle();
  }

  test("a guest of a public event is forwarded once its organiser has confirmed the guest", async () => {
    const { ann, bob, prove } = await threePeople();
    const { ID, addressed } = await planWithApproval(ann);
    const ask = (type: string) => prove(bob.activity(type, addressed));
    // Nobody learns of a guest who asked, and of one who changed the mind.
    const withdrawn = ask("Join");
    const undo = bob.activity("Undo", { ...addressed, object: withdrawn });
    for (const one of [withdrawn, ask("Leave"), withdrawn, prove(undo)])
      await bob.deliver(kith(), one);
    await bob.deliver(kith(), ask("Join"));
    await replyToGuest(ann, ID, "refused");
    await bob.deliver(kith(), ask("Leave"));
    await bob.deliver(kith(), ask("Join"));
    const join = ask("Join");
    await bob.deliver(kith(), join);
    await settleLate();
    assert.deepEqual(arrived(), []);
    await replyToGuest(ann, ID, "confirmed");
    await replyToGuest(ann, ID, "refused");
    await replyToGuest(ann, ID, "confirmed");
    const leave = ask("Leave");
    await bob.deliver(kith(), leave);
    assert.deepEqual(
      far.delivered.map(({ body }) => JSON.parse(body.toString()) as unknown),
      [join, leave],
    );
    const types = near.delivered.map(({ activity }) => activity["type"]);
    assert.deepEqual(new Set(types), new Set(["Accept", "Reject"]));
  });

  test("without a proof, a confirmed guest is not forwarded, and not by an earlier proof", async () => {
    const { ann, bob, prove } = await threePeople();
    const { ID, addressed } = await planWithApproval(ann);
    await bob.deliver(kith(), prove(bob.activity("Join", addressed)));
    await bob.deliver(kith(), bob.activity("Join", addressed));
    await replyToGuest(ann, ID, "confirmed");
    await settleLate();
    assert.deepEqual(arrived(), []);
  });

  test("a guest of a limited event is in the list of its thread only while confirmed", async () => {
    const { ann, bob, cid, prove } = await threePeople();
    const aspectID = await aspectOfFew(ann, [bob, cid]);
    const more = { summary: "Supper", approval: true, aspectID };
    const { ID } = await plan(ann, more);
    const [post] = await ann.get<PostRecord[]>("/posts");
    await settleBefore();
    const id = objectOf(kith(), post?.Guid ?? "");
    const to = [actorOf(kith(), ann.username)];
    const join = prove(bob.activity("Join", { to, object: id }));
    const listed = async () => {
      const page = `${id.replace("/object/", "/context/")}?page=1`;
      const { text } = await cid.get(kith(), page);
      return (JSON.parse(text) as JsonObject)["orderedItems"];
    };
    await bob.deliver(kith(), join);
    await settleLate();
    assert.deepEqual(arrived(), []);
    assert.deepEqual(await listed(), [id]);
    await replyToGuest(ann, ID, "confirmed");
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
    assert.deepEqual(await listed(), [id, join]);
    await replyToGuest(ann, ID, "refused");
    assert.deepEqual(await listed(), [id]);
  });

  test("limited activities, and those of another actor, are not forwarded", async () => {
    const { ann, bob, prove } = await threePeople();
    const guid = await publish(ann);
    const mallory = near.actor(`mallory${names}`);
    const forAnn = commentBy(bob, guid, {
      to: [actorOf(kith(), ann.username)],
    });
    const to = [actorOf(kith(), ann.username)];
    const secret = prove(bob.activity("Create", { to, object: forAnn }));
    await bob.deliver(kith(), secret);
    const object = mallory.note({ inReplyTo: objectOf(kith(), guid) });
    const byOther = mallory.activity("Create", { to: [PUBLIC], object });
    // Bob's key proves nothing about Mallory's activities.
    await mallory.deliver(kith(), prove(byOther));
    kith().clock.advance(60_000);
    await kith().settle();
    assert.deepEqual(new Set(arrived()), new Set(["Update"]));
  });
});
