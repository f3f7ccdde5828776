import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { startTalk } from "../support/conversations/talking.ts";
import { actorOf, objectOf } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const JSON_LD = { accept: "application/activity+json" };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const publish = (by: TestPerson, more: object = {}) =>
    by.post<PostRecord>("/posts", { post: "x", ...more });
  const pinned = async (who: TestPerson, of = who) =>
    (await who.get<PostRecord[]>(`/people/${of.record.ID}/pinned`)).map(
      ({ ID }) => ID,
    );
  const featured = async ({ username }: TestPerson) => {
    const uri = `${actorOf(kith(), username)}/featured`;
    const answer = await fetch(uri, { headers: JSON_LD });
    assert.equal(answer.status, 200);
    const read = (await answer.json()) as {
      id: string;
      totalItems: number;
      orderedItems: string[];
    };
    assert.equal(read.id, uri);
    assert.equal(read.totalItems, read.orderedItems.length);
    return read.orderedItems;
  };
  /** A remote follower of a new local person. */
  async function follow(): Promise<{ ann: TestPerson; eve: RemoteActor }> {
    names += 1;
    const ann = await kith().person();
    const eve = remote.actor(`eve${names}`);
    const object = actorOf(kith(), ann.username);
    await eve.deliver(kith(), eve.activity("Follow", { object }));
    await kith().settle();
    remote.delivered.length = 0;
    return { ann, eve };
  }
  const sent = () =>
    [...remote.ofType("Add"), ...remote.ofType("Remove")].map(
      ({ activity: { type, actor, object, target, to } }) => ({
        ...{ type, actor, object, target, to },
      }),
    );

  test("pinned posts are listed, newest pin first, and say so everywhere", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [one, two] = [await publish(ann), await publish(ann)];
    assert.equal("Pinned" in one, false);
    const { Pinned } = await ann.post<PostRecord>(`/posts/${two.Guid}/pin`);
    assert.equal(Pinned, true);
    kith().clock.advance(1_000);
    await ann.post(`/posts/${one.ID}/pin`);
    assert.deepEqual(await pinned(bob, ann), [one.ID, two.ID]);
    // Again changes nothing.
    kith().clock.advance(1_000);
    await ann.post(`/posts/${two.ID}/pin`);
    assert.deepEqual(await pinned(bob, ann), [one.ID, two.ID]);
    const shown = await bob.get<PostRecord>(`/posts/${one.ID}`);
    assert.equal(shown.Pinned, true);
    assert.deepEqual(await featured(ann), [
      objectOf(kith(), one.Guid),
      objectOf(kith(), two.Guid),
    ]);
    await ann.delete(`/posts/${one.ID}/pin`);
    await ann.delete(`/posts/${one.ID}/pin`);
    assert.deepEqual(await pinned(bob, ann), [two.ID]);
    await ann.delete(`/posts/${two.ID}`);
    assert.deepEqual(await pinned(bob, ann), []);
    assert.deepEqual(await featured(ann), []);
  });

  test("a limited post is pinned for those who may see it, here alone", async () => {
    const { ann } = await follow();
    const [bob, cid] = [await kith().person(), await kith().person()];
    const aspectID = await aspectOf(ann, bob);
    const limited = await publish(ann, { aspectID });
    await ann.post(`/posts/${limited.ID}/pin`);
    await kith().settle();
    assert.deepEqual(await pinned(ann), [limited.ID]);
    assert.deepEqual(await pinned(bob, ann), [limited.ID]);
    assert.deepEqual(await pinned(cid, ann), []);
    assert.deepEqual(await featured(ann), []);
    assert.deepEqual(sent(), []);
  });

  test("other people's posts, reshares, conversations and a sixth post are not pinned", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const others = await publish(bob);
    const reshare = await ann.post<PostRecord>(`/posts/${others.ID}/reshare`);
    await aspectOf(ann, bob);
    const talk = await startTalk(ann, [bob.record.ID], { text: "hm" });
    const refuse = async (of: { ID: number }, status: number) => {
      const path = `/posts/${of.ID}/pin`;
      assert.equal((await ann.call("POST", path)).status, status);
    };
    await refuse(others, 404);
    assert.equal(
      (await ann.call("DELETE", `/posts/${others.ID}/pin`)).status,
      404,
    );
    await refuse({ ID: 1 }, 404);
    await refuse(reshare, 400);
    await refuse(talk, 400);
    const own = [];
    for (let at = 0; at < 6; at += 1) own.push(await publish(ann));
    const answers = await Promise.all(
      own.map(({ ID }) => ann.call("POST", `/posts/${ID}/pin`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      ...[200, 200, 200, 200, 200, 400],
    ]);
    assert.equal((await pinned(ann)).length, 5);
  });

  test("followers elsewhere receive an Add and a Remove", async () => {
    const { ann } = await follow();
    const post = await publish(ann);
    await ann.post(`/posts/${post.ID}/pin`);
    await kith().settle();
    const about = {
      actor: actorOf(kith(), ann.username),
      object: objectOf(kith(), post.Guid),
      target: `${actorOf(kith(), ann.username)}/featured`,
      to: [PUBLIC],
    };
    assert.deepEqual(sent(), [{ type: "Add", ...about }]);
    kith().clock.advance(1_000);
    await ann.delete(`/posts/${post.ID}/pin`);
    await kith().settle();
    assert.deepEqual(sent(), [
      { type: "Add", ...about },
      { type: "Remove", ...about },
    ]);
    const ids = remote.delivered.map(({ activity }) => activity["id"]);
    assert.equal(new Set(ids).size, ids.length);
  });
});
