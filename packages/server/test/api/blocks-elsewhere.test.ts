import type { PersonId } from "../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { Peer } from "../support/remote/peer.ts";
import {
  activitiesTo,
  personAt,
  receiveActivity,
} from "../support/remote/remote-activity.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  after(() => peer.close());

  const follow = async (by: TestPerson, id: number): Promise<string> => {
    const aspect = await by.post<AspectRecord>("/aspects", { name: "a" });
    const path = `/people/${id}/aspects/${aspect.ID}`;
    await by.post(path);
    return path;
  };

  const contactOf = (who: TestPerson, id: PersonId) =>
    kith()
      .db.read.selectFrom("contacts")
      .select(["following", "sharing"])
      .where("user_id", "=", who.record.UserID)
      .where("person_id", "=", id)
      .executeTakeFirst();

  const actorOf = (who: TestPerson) =>
    `${kith().baseUrl}/api/v1/ap/person/${who.username}`;

  test("a remote person is notified of a block and of its end, in order", async () => {
    const ann = await kith().person();
    const eve = await personAt(kith(), peer, "eve");
    const object = actorOf(ann);
    await receiveActivity(kith(), eve, { type: "Follow", object });
    const contact = await follow(ann, eve.id);
    await kith().settle();
    await ann.post(`/people/${eve.id}/block`);
    await kith().settle();
    await ann.delete(`/people/${eve.id}/block`);
    await kith().settle();
    await ann.post(`/people/${eve.id}/block`);
    await kith().settle();
    await ann.notFound("DELETE", contact);
    const sent = activitiesTo(peer, eve);
    const types = sent.map(({ type, object: of }) =>
      typeof of === "string" ? type : `${type} ${of.type}`,
    );
    assert.deepEqual(types, [
      "Accept Follow",
      "Follow",
      "Undo Follow",
      "Block",
      "Undo Block",
      "Block",
    ]);
    assert.equal(sent[3]?.object, eve.addresses.actorUri);
    assert.notEqual(sent[3]?.id, sent[5]?.id, "a new block is a new activity");
    const undone = sent[4]?.object;
    assert.ok(typeof undone === "object");
    assert.equal(undone.id, sent[3]?.id);
    assert.equal(
      Boolean((await contactOf(ann, eve.id))?.sharing ?? false),
      false,
    );
  });

  test("a blocked person elsewhere is rejected as a follower, and does not comment or like", async () => {
    const ann = await kith().person();
    const mal = await personAt(kith(), peer, "mal");
    const post = await ann.post<PostRecord>("/posts", { post: "x" });
    const uri = `${kith().baseUrl}/api/v1/ap/object/${post.Guid}`;
    await ann.post(`/people/${mal.id}/block`);
    await kith().settle();
    const activities = [
      { type: "Follow", object: actorOf(ann) },
      { type: "Like", object: uri },
      {
        type: "Create",
        object: {
          id: `${mal.addresses.actorUri}/notes/1`,
          type: "Note",
          attributedTo: mal.addresses.actorUri,
          content: "let me in",
          inReplyTo: uri,
          to: ["https://www.w3.org/ns/activitystreams#Public"],
        },
      },
      {
        type: "Announce",
        object: uri,
        to: ["https://www.w3.org/ns/activitystreams#Public"],
      },
    ];
    for (const activity of activities)
      await receiveActivity(kith(), mal, activity);
    const now = await ann.get<PostRecord>(`/posts/${post.Guid}`);
    assert.equal(now.LikesCount, 0);
    assert.equal(now.CommentsCount, 0);
    assert.equal(now.ResharesCount, 0);
    assert.deepEqual(await ann.get("/notifications"), []);
    const last = activitiesTo(peer, mal).at(-1);
    assert.equal(last?.type, "Reject");
    const contact = await contactOf(ann, mal.id);
    assert.equal(Boolean(contact?.sharing ?? false), false);
  });

  test("a block from elsewhere ends the contact until it is undone", async () => {
    const ann = await kith().person();
    const zoe = await personAt(kith(), peer, "zoe");
    const object = actorOf(ann);
    const block = {
      type: "Block",
      object,
      id: `${zoe.addresses.actorUri}/blocks/1`,
    };
    await receiveActivity(kith(), zoe, { type: "Follow", object });
    const path = await follow(ann, zoe.id);
    assert.equal(await receiveActivity(kith(), zoe, block), "block");
    await ann.notFound("GET", `/people/${zoe.id}/aspects`);
    await ann.notFound("POST", path);
    assert.deepEqual(await ann.get("/blocks"), [], "the block is zoe's");
    const contact = await contactOf(ann, zoe.id);
    assert.ok(contact);
    assert.equal(Boolean(contact.following || contact.sharing), false);
    const mallory = await personAt(kith(), peer, "mallory");
    const undo = {
      type: "Undo",
      object: { ...block, actor: zoe.addresses.actorUri },
    };
    await receiveActivity(kith(), mallory, undo);
    await ann.notFound("POST", path);
    assert.equal(await receiveActivity(kith(), zoe, undo), "block undone");
    await ann.post(path);
  });
});
