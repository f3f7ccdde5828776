import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { sql } from "kysely";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { idOf, proving } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const ADDRESSED = { to: [PUBLIC], cc: [] };

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

  /** Ann here follows Bob and has got a post of his; Cid, on a third server, follows Ann. */
  async function threePeople() {
    names += 1;
    const ann = await kith().person();
    const bob = near.actor(`bob${names}`);
    const cid = far.actor(`cid${names}`);
    await follow(cid, ann);
    await sendFollow(kith(), ann, bob);
    await kith().settle();
    const note = bob.note({ ...ADDRESSED, content: `<p>Tea ${names}</p>` });
    await bob.deliver(
      kith(),
      bob.activity("Create", { ...ADDRESSED, object: note }),
    );
    const { posts } = kith().server.features;
    const { id } = (await posts.find({ uri: idOf(note) })) ?? assert.fail();
    const post = await ann.get<PostRecord>(`/posts/${id}`);
    return { ann, bob, cid, note, post };
  }

  const follow = (reader: RemoteActor, { username }: TestPerson) =>
    reader.deliver(
      kith(),
      reader.activity("Follow", { object: actorOf(kith(), username) }),
    );

  async function reshare(ann: TestPerson, { ID }: PostRecord): Promise<void> {
    await ann.post(`/posts/${ID}/reshare`);
    await settleAll();
  }

  async function settleAll(): Promise<void> {
    await kith().settle();
    kith().clock.advance(60_000);
    await kith().settle();
    far.delivered.length = 0;
    near.delivered.length = 0;
  }

  const removalOf = (bob: RemoteActor, note: JsonObject) =>
    bob.activity("Delete", { ...ADDRESSED, object: note["id"] ?? "" });

  test("an edit and a deletion go on unchanged to the readers of a reshare here", async () => {
    const { ann, bob, note, post } = await threePeople();
    const prove = proving(bob);
    await reshare(ann, post);
    const edited = {
      ...note,
      ...{ content: "<p>Coffee</p>", updated: "2027-01-03T00:00:00Z" },
    };
    const update = bob.activity("Update", { ...ADDRESSED, object: edited });
    const sent = [update, removalOf(bob, note)].map((one) => prove(one));
    for (const one of sent) await bob.deliver(kith(), one);
    for (const one of sent) await bob.deliver(kith(), one);
    await kith().settle();
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
    await ann.notFound("GET", `/posts/${post.ID}`);
  });

  test("a reader of several reshares gets it once", async () => {
    const { ann, bob, cid, note, post } = await threePeople();
    const prove = proving(bob);
    const eve = await kith().person();
    await follow(cid, eve);
    await reshare(ann, post);
    await reshare(eve, post);
    await bob.deliver(kith(), prove(removalOf(bob, note)));
    await kith().settle();
    assert.equal(far.delivered.length, 1);
  });

  test("the readers of a quote here get them, too", async () => {
    const { ann, bob, note, post } = await threePeople();
    const prove = proving(bob);
    const { Guid } = await ann.post<PostRecord>("/posts", {
      ...{ post: "Look at this", quoteID: post.ID },
    });
    await kith().settle();
    const [asked] = near.ofType("QuoteRequest");
    const result = bob.newId("stamps");
    near.documents.set(result, {
      ...{ id: result, type: "QuoteAuthorization", attributedTo: bob.id },
      interactingObject: objectOf(kith(), Guid),
      interactionTarget: note["id"] ?? "",
    });
    const object = asked?.activity ?? assert.fail("nobody was asked");
    await bob.deliver(kith(), bob.activity("Accept", { object, result }));
    await settleAll();
    const removal = prove(removalOf(bob, note));
    await bob.deliver(kith(), removal);
    await kith().settle();
    const bodies = far.delivered.map(({ body }) => body.toString());
    assert.ok(bodies.includes(JSON.stringify(removal)), bodies.join("\n"));
  });

  test("the readers of reshares here get the deletion of the account, too", async () => {
    const { ann, bob, post } = await threePeople();
    const prove = proving(bob);
    await reshare(ann, post);
    const object = bob.id;
    const removal = prove(bob.activity("Delete", { ...ADDRESSED, object }));
    await bob.deliver(kith(), removal);
    await kith().settle();
    assert.deepEqual(
      far.delivered.map(({ body }) => body.toString()),
      [JSON.stringify(removal)],
    );
  });

  test("each who reshared posts of one person is found, however many others reshared", async () => {
    const { ann, bob, post } = await threePeople();
    const eve = await kith().person();
    await eve.post(`/posts/${post.ID}/reshare`);
    await ann.post(`/posts/${post.ID}/reshare`);
    const note = bob.note({ ...ADDRESSED, content: "<p>Second</p>" });
    await bob.deliver(
      kith(),
      bob.activity("Create", { ...ADDRESSED, object: note }),
    );
    const { posts } = kith().server.features;
    const second =
      (await posts.find({ uri: idOf(note) })) ?? assert.fail("it did not come");
    await ann.post(`/posts/${second.id}/reshare`);
    const found = await posts.listResharersHere(second.personId, 2);
    assert.deepEqual(
      found.map(({ personId }) => personId),
      [ann.record.ID, eve.record.ID],
    );
  });

  test("edits go on that have one id, as Friendica's", async () => {
    const { ann, bob, note, post } = await threePeople();
    const prove = proving(bob);
    await reshare(ann, post);
    const id = `${bob.id}/same`;
    for (const [content, updated] of [
      ["Coffee", "2027-01-03T00:00:00Z"],
      ["Milk", "2027-01-04T00:00:00Z"],
    ] as const) {
      const object = { ...note, content: `<p>${content}</p>`, updated };
      const update = bob.activity("Update", { ...ADDRESSED, object });
      await bob.deliver(kith(), prove({ ...update, id }));
    }
    await kith().settle();
    assert.equal(far.delivered.length, 2);
  });

  test("a failure to forward leaves the deletion for the next attempt", async () => {
    const { ann, bob, note, post } = await threePeople();
    const prove = proving(bob);
    await reshare(ann, post);
    const rename = (from: string, to: string) =>
      kith().db.transaction((tx) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
          tx,
        ),
      );
    await rename("forwarded_activities", "away");
    await bob.deliver(kith(), prove(removalOf(bob, note)));
    await kith().settle();
    await ann.get(`/posts/${post.ID}`);
    await rename("away", "forwarded_activities");
    kith().clock.advance(600_000);
    await kith().settle();
    assert.equal(far.delivered.length, 1);
    await ann.notFound("GET", `/posts/${post.ID}`);
  });

  test("nothing goes on without a proof, or without a reshare here", async () => {
    const unproved = await threePeople();
    await reshare(unproved.ann, unproved.post);
    const { bob, note } = unproved;
    await bob.deliver(kith(), removalOf(bob, note));
    const plain = await threePeople();
    const prove = proving(plain.bob);
    await settleAll();
    await plain.bob.deliver(kith(), prove(removalOf(plain.bob, plain.note)));
    await kith().settle();
    assert.deepEqual(far.delivered, []);
    await plain.ann.notFound("GET", `/posts/${plain.post.ID}`);
    await plain.ann.notFound("GET", `/posts/${unproved.post.ID}`);
  });
});
