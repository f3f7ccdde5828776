import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { actorOf, read } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { befriend, seen } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const followersOf = async ({ username }: TestPerson) =>
    (await read(`${actorOf(kith(), username)}/followers`))["totalItems"];
  const toFollowers = async (by: TestPerson) => {
    const { Guid } = await by.post<PostRecord>("/posts", {
      post: "for those who follow me",
      audience: "followers",
    });
    await kith().settle();
    return Guid;
  };

  test("a follower elsewhere is removed by a Reject, and may follow again", async () => {
    const [ann, eve] = [await kith().person(), remote.actor("eve")];
    const follow = async () => {
      const object = actorOf(kith(), ann.username);
      const activity = eve.activity("Follow", { object });
      await eve.deliver(kith(), activity);
      return activity;
    };
    const answersTo = (followed: JsonObject) =>
      remote.delivered
        .map(({ activity }) => activity)
        .filter(
          ({ object }) =>
            (object as JsonObject | undefined)?.["id"] === followed["id"],
        )
        .map(({ type }) => type);
    const followed = await follow();
    await kith().settle();
    assert.equal(await followersOf(ann), 1);
    const { ID } = await seen(ann, eve.handle);
    await ann.delete(`/people/${ID}/follower`);
    await kith().settle();
    assert.deepEqual(answersTo(followed), ["Accept", "Reject"]);
    assert.equal(await followersOf(ann), 0);
    const guid = await toFollowers(ann);
    const isSent = remote.delivered.some(({ activity }) =>
      JSON.stringify(activity).includes(guid),
    );
    assert.ok(!isSent);
    await ann.notFound("DELETE", `/people/${ID}/follower`);
    await follow();
    assert.equal(await followersOf(ann), 1);
  });

  test("a follower here is removed, and no longer gets what followers get", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspect = await befriend(bob, ann.handle);
    assert.equal(await followersOf(ann), 1);
    await ann.notFound("DELETE", `/people/${ann.record.ID}/follower`);
    await bob.notFound("DELETE", `/people/${ann.record.ID}/follower`);
    await ann.delete(`/people/${bob.record.ID}/follower`);
    assert.equal(await followersOf(ann), 0);
    await bob.notFound("GET", `/posts/${await toFollowers(ann)}`);
    const member = `/people/${ann.record.ID}/aspects/${aspect}`;
    await bob.call("DELETE", member);
    await bob.post(member);
    assert.equal(await followersOf(ann), 1);
    await bob.get(`/posts/${await toFollowers(ann)}`);
  });
});
