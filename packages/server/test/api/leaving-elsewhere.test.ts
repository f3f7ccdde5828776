import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Person } from "../../src/features/people/index.ts";
import { AFTER_DELIVERIES_MS } from "../../src/federation/leaving-steps.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { Peer } from "../support/remote/peer.ts";
import {
  activitiesTo,
  personAt,
  receiveActivity,
} from "../support/remote/remote-activity.ts";
import { remotePost } from "../support/remote/remote-people.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import { tracesOf } from "../support/server/traces.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

const right = { form: { password: PASSWORD } };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  after(() => peer.close());

  const leave = async (who: TestPerson) => {
    const answer = await who.call("DELETE", "/users", right);
    assert.equal(`${answer.status} ${answer.text}`, "200 {}");
  };

  const follow = async (by: TestPerson, id: number): Promise<number> => {
    const aspect = await by.post<AspectRecord>("/aspects", { name: "a" });
    await by.post(`/people/${id}/aspects/${aspect.ID}`);
    return aspect.ID;
  };

  test("all remote recipients are notified once, signed, and then the key is removed", async () => {
    const who = await kith().person();
    const friend = await kith().person();
    const [fan, reader, past, stranger] = [
      await personAt(kith(), peer, "fan"),
      await personAt(kith(), peer, "reader"),
      await personAt(kith(), peer, "past"),
      await personAt(kith(), peer, "stranger"),
    ];
    const actor = `${kith().baseUrl}/api/v1/ap/person/${who.username}`;
    await receiveActivity(kith(), fan, { type: "Follow", object: actor });
    const aspect = await follow(who, past.id);
    await who.delete(`/aspects/${aspect}`);
    await receiveActivity(kith(), reader, {
      type: "Follow",
      object: `${kith().baseUrl}/api/v1/ap/person/${friend.username}`,
    });
    const post = await friend.post<PostRecord>("/posts", { post: "x" });
    await who.post(`/posts/${post.Guid}/comments`, { comment: "hello" });
    await kith().settle();
    await leave(who);
    await kith().settle();
    const deletions = (person: Person) =>
      activitiesTo(peer, person).filter(({ type }) => type === "Delete");
    for (const person of [fan, reader, past]) {
      assert.equal(deletions(person).length, 1, person.handle);
      const last = activitiesTo(peer, person).at(-1);
      assert.equal(last?.object, actor);
      assert.equal(last.actor, actor);
    }
    assert.deepEqual(activitiesTo(peer, stranger), []);
    const signed = peer.received.filter(
      ({ body, headers }) =>
        body.includes('"Delete"') && headers["signature"] !== undefined,
    );
    assert.ok(signed.length >= 3);
    const hasKey = async () => {
      const row = await kith()
        .db.read.selectFrom("user_keys")
        .select("user_id")
        .where("user_id", "=", who.record.UserID)
        .executeTakeFirst();
      return row !== undefined;
    };
    assert.equal(
      await hasKey(),
      true,
      "somebody may still have to be notified",
    );
    kith().clock.advance(AFTER_DELIVERIES_MS);
    await kith().settle();
    assert.equal(await hasKey(), false);
    for (const person of [fan, reader, past])
      assert.equal(deletions(person).length, 1);
  });

  test("a server that is down is notified when it is back", async () => {
    const far = await Peer.start();
    const who = await kith().person();
    const fan = await personAt(kith(), far, "fan");
    const object = `${kith().baseUrl}/api/v1/ap/person/${who.username}`;
    await receiveActivity(kith(), fan, { type: "Follow", object });
    far.goDown();
    await leave(who);
    await kith().settle();
    far.comeBack();
    for (let day = 0; day < 2; day += 1) {
      kith().clock.advance(DAY_MS);
      await kith().settle();
    }
    const types = activitiesTo(far, fan).map(({ type }) => type);
    assert.equal(types.at(-1), "Delete");
    await far.close();
  });

  test("a remote person who leaves is removed with all content, and does not come back", async () => {
    const friend = await kith().person();
    const zoe = await personAt(kith(), peer, "zoe");
    const object = `${kith().baseUrl}/api/v1/ap/person/${friend.username}`;
    await follow(friend, zoe.id);
    await receiveActivity(kith(), zoe, { type: "Follow", object });
    const { posts } = kith().server.features;
    const received = await posts.receive(remotePost(zoe));
    assert.ok(received.kind === "stored");
    const { guid } = received.value;
    await friend.post(`/posts/${guid}/comments`, { comment: "hello" });
    const mine = await friend.post<PostRecord>("/posts", { post: "mine" });
    const uri = `${kith().baseUrl}/api/v1/ap/object/${mine.Guid}`;
    await receiveActivity(kith(), zoe, { type: "Like", object: uri });
    const mallory = await personAt(kith(), peer, "mallory");
    const gone = { type: "Delete", object: zoe.addresses.actorUri };
    await receiveActivity(kith(), mallory, gone);
    await friend.get(`/posts/${guid}`);
    await receiveActivity(kith(), zoe, gone);
    assert.deepEqual(await tracesOf(kith(), zoe.id, null), []);
    await friend.notFound("GET", `/people/${zoe.id}`);
    await friend.notFound("POST", "/search", { form: { handle: zoe.handle } });
    await friend.notFound("GET", `/posts/${guid}`);
    assert.deepEqual(await friend.get("/notifications"), []);
    const like = { type: "Like", object: uri };
    assert.equal(await receiveActivity(kith(), zoe, like), "the actor is gone");
    const { people, remotePeople } = kith().server.features;
    const back = await remotePeople.store({
      handle: zoe.handle,
      keys: [],
      protocols: ["activitypub"],
      addresses: zoe.addresses,
      profile: { firstName: "Zoe" },
    });
    assert.equal(back, undefined);
    assert.equal((await people.find({ id: zoe.id }))?.profile.firstName, "");
  });
});
