import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  activityOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`sharer${++names}`);
  const actor = (person: TestPerson) => actorOf(kith(), person.username);
  /** The person here follows them, and that is accepted where it is said. */
  const follow = async (by: TestPerson, other: RemoteActor, accepts = true) => {
    await sendFollow(kith(), by, other);
    if (accepts) await other.acceptFollow(kith());
  };
  const publish = (by: TestPerson) =>
    by.post<PostRecord>("/posts", { post: "pass it on" });
  const sees = async (by: TestPerson, { Guid }: PostRecord) => {
    const list = await by.get<PostRecord[]>(`/posts/${Guid}/reshares`);
    const { ResharesCount } = await by.get<PostRecord>(`/posts/${Guid}`);
    assert.equal(ResharesCount, list.length, "the count and the list");
    const stream = await by.get<PostRecord[]>("/posts", { visibility: 0 });
    const shown = stream.filter(({ RootGuid }) => RootGuid === Guid);
    assert.equal(shown.length, list.length, "the stream and the list");
    return list;
  };
  const announce = (by: RemoteActor, post: PostRecord, address: JsonObject) =>
    by.activity("Announce", {
      object: objectOf(kith(), post.Guid),
      ...address,
    });

  test("an Announce for followers is visible to those with an accepted Follow, and to mentioned people", async () => {
    const [ann, bob, cid, dot] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const eve = stranger();
    await follow(bob, eve);
    await follow(cid, eve, false);
    const post = await publish(ann);
    const to = [`${eve.id}/followers`];
    await eve.deliver(kith(), announce(eve, post, { to, cc: [actor(ann)] }));
    assert.equal((await sees(bob, post))[0]?.Public, false);
    assert.equal((await sees(ann, post)).length, 1);
    assert.equal((await sees(cid, post)).length, 0);
    assert.equal((await sees(dot, post)).length, 0);
    const notifications = await ann.get<NotificationRecord[]>("/notifications");
    assert.equal(notifications.length, 1);
    const shares = await read(`${objectOf(kith(), post.Guid)}/shares`);
    assert.equal(shares["totalItems"], 0);
  });

  test("an Announce for followers only does not notify the author of the announced post", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = stranger();
    await follow(bob, eve);
    const post = await publish(ann);
    const to = [`${eve.id}/followers`];
    await eve.deliver(kith(), announce(eve, post, { to }));
    assert.equal((await sees(bob, post)).length, 1);
    assert.equal((await sees(ann, post)).length, 0);
    assert.deepEqual(await ann.get("/notifications"), []);
  });

  test("an Announce without local recipients is dropped, and a second one does not widen the audience", async () => {
    const [ann, bob, cid] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [eve, fay] = [stranger(), stranger()];
    const post = await publish(ann);
    const forFew = { to: [`${eve.id}/followers`], cc: [`${fay.id}/followers`] };
    await eve.deliver(kith(), announce(eve, post, forFew));
    assert.equal((await sees(ann, post)).length, 0);
    await follow(bob, fay);
    const said = announce(fay, post, { to: [`${fay.id}/followers`] });
    await fay.deliver(kith(), said);
    await fay.deliver(kith(), { ...said, to: [PUBLIC] });
    assert.equal((await sees(bob, post)).length, 1);
    assert.equal((await sees(cid, post)).length, 0);
  });

  test("an unlisted Announce is for those who follow, and comes up in no other list", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = stranger();
    await follow(bob, eve);
    const post = await publish(ann);
    const to = [`${eve.id}/followers`];
    await eve.deliver(kith(), announce(eve, post, { to, cc: [PUBLIC] }));
    assert.equal((await sees(bob, post))[0]?.Public, true);
    const listed = await ann.get<PostRecord[]>("/posts", { visibility: 1 });
    assert.ok(!listed.some(({ RootGuid }) => RootGuid === post.Guid));
    const reshares = await ann.get<PostRecord[]>(`/posts/${post.ID}/reshares`);
    assert.equal(reshares.length, 1);
  });

  test("a reshare of an unlisted post is unlisted, on the way out as well", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [eve, fay] = [stranger(), stranger()];
    await follow(ann, eve);
    await follow(ann, fay);
    const note = eve.note({ to: [`${eve.id}/followers`], cc: [PUBLIC] });
    await eve.deliver(kith(), eve.activity("Create", { object: note }));
    const known = await ann.get<PostRecord[]>("/posts", { limit: 100 });
    const root = known.find(({ Person }) => Person.Author === eve.handle);
    assert.ok(root);
    const shared = await bob.post<PostRecord>(`/posts/${root.Guid}/reshare`);
    const object = note["id"];
    assert.ok(typeof object === "string");
    await fay.deliver(
      kith(),
      fay.activity("Announce", { object, to: [PUBLIC], cc: [] }),
    );
    const listed = await ann.get<PostRecord[]>("/posts", { visibility: 1 });
    assert.ok(!listed.some(({ RootGuid }) => RootGuid === root.Guid));
    const all = await ann.get<PostRecord[]>(`/posts/${root.ID}/reshares`);
    assert.equal(all.length, 2);
    const sent = await read(activityOf(kith(), shared.Guid));
    const followers = `${actor(bob)}/followers`;
    assert.deepEqual([sent["to"], sent["cc"]], [[followers], [PUBLIC, eve.id]]);
  });
});
