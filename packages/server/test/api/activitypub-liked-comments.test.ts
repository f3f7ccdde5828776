import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, sendFollow } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type { LikeRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let near: RemoteServer;
  let far: RemoteServer;
  before(async () => {
    [near, far] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([near.close(), far.close()]));

  test("a like of a comment, and its end, go to the author of the comment, too", async () => {
    const ann = await kith().person();
    const [bob, cid] = [near.actor("bob"), far.actor("cid")];
    await sendFollow(kith(), ann, bob);
    const follow = near.delivered.at(-1)?.activity ?? assert.fail();
    await bob.deliver(kith(), bob.activity("Accept", { object: follow }));
    const post = bob.note({ content: "<p>Well?</p>", to: [PUBLIC] });
    await bob.deliver(
      kith(),
      bob.activity("Create", { object: post, to: [PUBLIC] }),
    );
    const comment = cid.note({
      content: "<p>Well.</p>",
      inReplyTo: post["id"] ?? "",
      to: [PUBLIC],
      cc: [bob.id, actorOf(kith(), ann.username)],
    });
    await cid.deliver(
      kith(),
      cid.activity("Create", { object: comment, to: [PUBLIC] }),
    );
    await kith().settle();
    const { comments } = kith().server.features;
    const uri = comment["id"];
    assert.ok(typeof uri === "string");
    const { guid } = (await comments.find({ uri })) ?? assert.fail();
    near.delivered.length = 0;
    far.delivered.length = 0;
    const like = await ann.post<LikeRecord>(`/comments/${guid}/likes/true`);
    await kith().settle();
    await ann.delete(`/likes/${like.Guid}`);
    await kith().settle();
    for (const server of [near, far])
      assert.deepEqual(
        server.delivered.map(({ activity }) => activity["type"]),
        ["Like", "Undo"],
      );
    assert.equal(far.delivered[0]?.activity["object"], uri);
  });
});
