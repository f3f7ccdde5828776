import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { sendFollow } from "../support/remote/linked-data.ts";
import { podPost, podRetraction } from "../support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let strange: RemoteServer;
  let home: RemoteServer;
  let pod: DiasporaPod;
  let ann: TestPerson;
  let names = 0;
  before(async () => {
    strange = await RemoteServer.start();
    home = await RemoteServer.start();
    pod = await DiasporaPod.start();
    ann = await kith().person();
  });
  after(() => Promise.all([strange.close(), home.close(), pod.close()]));

  async function followed(server: RemoteServer): Promise<RemoteActor> {
    const actor = server.actor(`actor${++names}`);
    await sendFollow(kith(), ann, actor);
    return actor;
  }
  /** Longer than messages are recognised by their ids. */
  const replayed = async (send: () => Promise<void>) => {
    kith().clock.advance(31 * DAY_MS);
    await kith().settle();
    await send();
  };
  const postOf = (guid: string) => kith().server.features.posts.find({ guid });
  const noteOf = (actor: RemoteActor, guid: string) =>
    actor.note({ "diaspora:guid": guid });
  const create = (actor: RemoteActor, object: JsonObject) =>
    actor.deliver(kith(), actor.activity("Create", { object, to: [PUBLIC] }));
  const remove = (actor: RemoteActor, { id }: JsonObject) =>
    actor.deliver(
      kith(),
      actor.activity("Delete", { object: id ?? null, to: [PUBLIC] }),
    );

  /** Another person creates and deletes a post with this Guid. */
  async function squat(guid: string): Promise<void> {
    const stranger = await followed(strange);
    const note = noteOf(stranger, guid);
    await create(stranger, note);
    assert.equal((await postOf(guid))?.uri, note["id"]);
    await remove(stranger, note);
    assert.equal(await postOf(guid), undefined);
  }

  test("a pod's post stays deleted although another actor deleted one with that Guid first", async () => {
    const guid = newGuid();
    await squat(guid);
    const bob: PodPerson = pod.person(`bob${++names}`);
    const original = podPost(bob, { guid });
    await bob.deliver(kith(), original);
    assert.ok(await postOf(guid));
    await bob.deliver(kith(), podRetraction(bob, "Post", guid));
    assert.equal(await postOf(guid), undefined);
    await replayed(() => bob.deliver(kith(), original));
    assert.equal(await postOf(guid), undefined);
  });

  test("an actor's post stays deleted although another actor deleted one with that Guid first", async () => {
    const guid = newGuid();
    await squat(guid);
    const bob = await followed(home);
    const note = noteOf(bob, guid);
    await create(bob, note);
    assert.equal((await postOf(guid))?.uri, note["id"]);
    await remove(bob, note);
    // Under another id, since anyone with the signed note may wrap it again.
    await replayed(() => create(bob, note));
    const { posts } = kith().server.features;
    assert.equal(await posts.find({ uri: note["id"] as string }), undefined);
  });

  test("another person's retraction after the author's, or before any object, changes nothing", async () => {
    const guid = newGuid();
    const bob: PodPerson = pod.person(`bob${++names}`);
    const mallory: PodPerson = pod.person(`mallory${++names}`);
    await mallory.deliver(kith(), podRetraction(mallory, "Post", guid));
    const original = podPost(bob, { guid });
    await bob.deliver(kith(), original);
    assert.ok(await postOf(guid));
    await bob.deliver(kith(), podRetraction(bob, "Post", guid));
    assert.equal(await postOf(guid), undefined);
    await squat(guid);
    await replayed(() => bob.deliver(kith(), original));
    assert.equal(await postOf(guid), undefined);
  });

  test("a deleted local post is shown as such although another person retracted one with its Guid", async () => {
    const { Guid, ID } = await ann.post<{ Guid: string; ID: number }>(
      "/posts",
      { post: "from here" },
    );
    const url = `${kith().baseUrl}/api/v1/ap/object/${Guid}`;
    const headers = { accept: "application/activity+json" };
    await ann.delete(`/posts/${ID}`);
    await kith().settle();
    await squat(Guid);
    const answer = await fetch(url, { headers });
    const { type } = (await answer.json()) as JsonObject;
    assert.deepEqual([answer.status, type], [410, "Tombstone"]);
  });
});
