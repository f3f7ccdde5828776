import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../support/databases.ts";
import { useKith, type TestPerson } from "../support/kith-server.ts";
import { Peer } from "../support/peer.ts";
import {
  activitiesTo,
  personAt,
  receiveActivity,
} from "../support/remote-activity.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  after(() => peer.close());

  const pair = async () =>
    [await kith().person(), await kith().person()] as const;

  const follow = async (by: TestPerson, id: number): Promise<string> => {
    const aspect = await by.post<AspectRecord>("/aspects", { name: "a" });
    const path = `/people/${id}/aspects/${aspect.ID}`;
    await by.post(path);
    return path;
  };

  const told = (who: TestPerson) =>
    who.get<NotificationRecord[]>("/notifications");

  const contactOf = (who: TestPerson, id: number) =>
    kith()
      .db.read.selectFrom("contacts")
      .select(["following", "sharing"])
      .where("user_id", "=", who.record.UserID ?? 0)
      .where("person_id", "=", id)
      .executeTakeFirst();

  const actorOf = (who: TestPerson) =>
    `${kith().baseUrl}/api/v1/ap/person/${who.username}`;

  test("a block answers the person, is listed, and is ended; both may be repeated", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.ID}/block`;
    await ann.notFound("DELETE", path);
    const blocked = await ann.post<PersonRecord>(path);
    assert.equal(blocked.Guid, bob.record.Guid);
    const listed = await ann.get<PersonRecord[]>("/blocks");
    assert.deepEqual(listed, [blocked]);
    assert.deepEqual(await bob.get("/blocks"), []);
    const unchanged = await kith().snapshot();
    await ann.post(path);
    await ann.post(`/people/${bob.record.Guid}/block`);
    assert.deepEqual(await kith().snapshot(), unchanged);
    await ann.delete(path);
    assert.deepEqual(await ann.get("/blocks"), []);
    await ann.notFound("DELETE", path);
  });

  test("nobody blocks itself, or somebody who does not exist", async () => {
    const ann = await kith().person();
    await ann.badRequest("POST", `/people/${ann.record.ID}/block`);
    await ann.badRequest("POST", `/people/${ann.record.Guid}/ignore`);
    for (const id of ["999999999", "0", "x", "0".repeat(32)])
      for (const below of ["block", "ignore"])
        for (const method of ["POST", "DELETE"])
          await ann.notFound(method, `/people/${id}/${below}`);
  });

  test("the newest block comes first, page by page", async () => {
    const ann = await kith().person();
    const others = [];
    for (let i = 0; i < 3; i += 1) {
      const other = await kith().person();
      others.unshift(other.record.ID);
      await ann.post(`/people/${other.record.ID}/block`);
      await ann.post(`/people/${other.record.ID}/ignore`);
    }
    for (const path of ["/blocks", "/ignores"]) {
      const ids = async (query: Record<string, number>) =>
        (await ann.get<PersonRecord[]>(path, query)).map(({ ID }) => ID);
      assert.deepEqual((await ids({})).toSorted(), others.toSorted());
      const whole = await ids({});
      assert.deepEqual(await ids({ offset: 1, limit: 1 }), [whole[1]]);
    }
  });

  test("a block ends the contact on both sides, and what was told is forgotten", async () => {
    const [ann, bob] = await pair();
    await follow(ann, bob.record.ID);
    await follow(bob, ann.record.ID);
    await kith().settle();
    assert.equal((await told(ann)).length, 1);
    await ann.post(`/people/${bob.record.ID}/block`);
    await kith().settle();
    for (const [who, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const contact = await contactOf(who, other.record.ID);
      assert.ok(contact);
      assert.equal(Boolean(contact.following), false);
      assert.equal(Boolean(contact.sharing), false);
      await who.notFound("GET", `/people/${other.record.ID}/aspects`);
    }
    assert.deepEqual(await told(ann), []);
    assert.equal((await told(bob)).length, 1, "bob keeps what he knew");
  });

  test("who is blocked cannot make the blocker a contact, nor the other way round", async () => {
    const [ann, bob] = await pair();
    const aspect = await bob.post<AspectRecord>("/aspects", { name: "a" });
    const mine = await ann.post<AspectRecord>("/aspects", { name: "a" });
    await ann.post(`/people/${bob.record.ID}/block`);
    const path = `/people/${ann.record.ID}/aspects/${aspect.ID}`;
    await bob.notFound("POST", path);
    const back = `/people/${bob.record.ID}/aspects/${mine.ID}`;
    await ann.badRequest("POST", back);
    await ann.delete(`/people/${bob.record.ID}/block`);
    await bob.post(path);
    await ann.post(back);
  });

  test("blocking and following at once never leave a contact beside a block", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [ann, bob] = await pair();
      const aspect = await bob.post<AspectRecord>("/aspects", { name: "a" });
      const add = `/people/${ann.record.ID}/aspects/${aspect.ID}`;
      const block = `/people/${bob.record.ID}/block`;
      const calls = Array.from({ length: 4 }, () => [
        bob.call("POST", add),
        ann.call("POST", block),
        bob.call("POST", `/people/${ann.record.ID}/block`),
      ]).flat();
      for (const { status } of await Promise.all(calls))
        assert.ok([200, 400, 404].includes(status), String(status));
      assert.equal((await ann.get<unknown[]>("/blocks")).length, 1);
      await bob.notFound("GET", `/people/${ann.record.ID}/aspects`);
      const contact = await contactOf(ann, bob.record.ID);
      assert.equal(Boolean(contact?.sharing ?? false), false);
    }
  });

  test("no notifications come any more from those who are blocked or ignored", async () => {
    const [ann, bob] = await pair();
    const cam = await kith().person();
    await ann.post(`/people/${bob.record.ID}/block`);
    await ann.post(`/people/${cam.record.ID}/ignore`);
    const text = `@{${ann.handle}} hello`;
    for (const who of [bob, cam]) await who.post("/posts", { post: text });
    const open = await kith().person();
    const post = await open.post<PostRecord>("/posts", { post: "x" });
    for (const who of [bob, cam])
      await who.post(`/posts/${post.Guid}/comments`, { comment: text });
    await kith().settle();
    assert.deepEqual(await told(ann), []);
    await ann.delete(`/people/${cam.record.ID}/ignore`);
    await cam.post("/posts", { post: text });
    await kith().settle();
    assert.equal((await told(ann)).length, 1);
  });

  test("comments of blocked and ignored people are not read, and others read them", async () => {
    const [ann, bob] = await pair();
    const [cam, dan] = await pair();
    const post = await dan.post<PostRecord>("/posts", { post: "x" });
    const path = `/posts/${post.Guid}`;
    for (const who of [bob, cam, dan])
      await who.post(`${path}/comments`, { comment: who.username });
    await ann.post(`/people/${bob.record.ID}/block`);
    await ann.post(`/people/${cam.record.ID}/ignore`);
    const read = async (who: TestPerson) => {
      const listed = await who.get<CommentRecord[]>(`${path}/comments`);
      const { Comments } = await who.get<PostRecord>(path);
      const texts = listed.map(({ Text }) => Text);
      assert.deepEqual(
        Comments.map(({ Text }) => Text),
        texts,
      );
      return texts;
    };
    assert.deepEqual(await read(ann), [dan.username]);
    const all = [bob.username, cam.username, dan.username];
    assert.deepEqual(await read(dan), all);
  });

  test("somebody elsewhere is told of a block and of its end, each in its turn", async () => {
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
    assert.deepEqual(await told(ann), []);
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
