import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  submitAndApply,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let ann: TestPerson;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    ann = await kith().person();
    // Activities of the same moment have the same signature, however often they are sent.
    kith().clock.stopAt(new Date(kith().clock.now()));
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`again${++names}`);
  const followed = async (): Promise<RemoteActor> => {
    const other = stranger();
    await sendFollow(kith(), ann, other);
    return other;
  };
  /** Sends it, a moment after the previous activity. */
  const say = async (by: RemoteActor, activity: JsonObject, to?: string) => {
    kith().clock.advance(2000);
    await by.send(kith(), activity, to === undefined ? {} : { to });
    await kith().settle();
  };
  const followers = async () =>
    (await read(`${actorOf(kith(), ann.username)}/followers`))["totalItems"];
  const idOf = ({ id }: JsonObject): string => {
    assert.ok(typeof id === "string");
    return id;
  };
  const isHere = async ({ id }: JsonObject) =>
    (await kith().server.features.posts.find({ uri: id as string })) !==
    undefined;
  const textOf = async ({ id }: JsonObject) =>
    (await kith().server.features.posts.find({ uri: id as string }))?.text;

  test("a Follow and its Undo by ids that are used each time (Misskey, Pixelfed) count each time, and are answered", async () => {
    const eve = stranger();
    const object = actorOf(kith(), ann.username);
    const follow = eve.activity("Follow", { object });
    const undo = eve.activity("Undo", { object: follow });
    const answers = () =>
      remote
        .ofType("Accept")
        .filter(
          ({ activity }) =>
            (activity["object"] as JsonObject)["id"] === follow["id"],
        );
    for (let time = 1; time <= 3; time++) {
      await say(eve, follow);
      assert.equal(await followers(), 1);
      assert.equal(answers().length, time);
      await eve.deliver(kith(), follow);
      assert.equal(answers().length, time, "a retry is none");
      await say(eve, undo);
      assert.equal(await followers(), 0);
      await eve.deliver(kith(), undo);
    }
    const ids = answers().map(({ activity }) => activity["id"]);
    assert.equal(new Set(ids).size, 3, "each answer is a new one");
  });

  test("a captured request that is sent again undoes nothing that was said since", async () => {
    const eve = stranger();
    const object = actorOf(kith(), ann.username);
    const follow = eve.activity("Follow", { object });
    const then = new Date(kith().clock.now());
    await eve.deliver(kith(), follow);
    await say(eve, eve.activity("Undo", { object: follow }));
    const now = new Date(kith().clock.now());
    kith().clock.stopAt(then);
    await eve.deliver(kith(), follow);
    kith().clock.stopAt(now);
    assert.equal(await followers(), 0);
  });

  test("a second edit under the id of the first (Friendica) counts", async () => {
    const eve = await followed();
    const object = eve.note({ content: "one" });
    await say(eve, eve.activity("Create", { object, to: [PUBLIC] }));
    const update = eve.activity("Update", { to: [PUBLIC] });
    for (const [content, updated] of [
      ["two", "2026-01-03T00:00:00Z"],
      ["three", "2026-01-04T00:00:00Z"],
    ] as const) {
      const edited = { ...object, content, updated };
      await say(eve, { ...update, object: edited });
      assert.equal(await textOf(object), content);
    }
  });

  test("a Reject and an Accept by one id (Hubzilla) count each time", async () => {
    const eve = stranger();
    const { features } = kith().server;
    const answer = eve.activity("Accept", {});
    for (let time = 0; time < 2; time++) {
      await sendFollow(kith(), ann, eve);
      const here = await features.people.find({ guid: ann.record.Guid });
      const there = await features.people.find({ uri: eve.id });
      assert.ok(here?.userId && there);
      const contact = await features.contacts.find(here.userId, there.id);
      assert.equal(contact?.isConfirmed, false);
      const object = activityOf(kith(), contact.requestGuid ?? "");
      await say(eve, { ...answer, object });
      const answered = await features.contacts.find(here.userId, there.id);
      assert.equal(answered?.isConfirmed, true);
      const unfollow = { type: "Undo", object };
      await submitAndApply(kith(), ann, unfollow);
      await kith().settle();
    }
  });

  test("a reused id creates no second object, in any inbox", async () => {
    const eve = await followed();
    const [first, second] = [eve.note(), eve.note()];
    const create = eve.activity("Create", { to: [PUBLIC] });
    const own = `/api/v1/ap/person/${ann.username}/inbox`;
    await say(eve, { ...create, object: first });
    for (const to of [undefined, own])
      await say(eve, { ...create, object: second }, to);
    assert.ok(await isHere(first));
    assert.ok(!(await isHere(second)));
    const [third, fourth] = [eve.note(), eve.note()];
    const other = { ...create, id: eve.newId("activities") };
    await say(eve, { ...other, object: third }, own);
    await say(eve, { ...other, object: fourth });
    assert.ok(await isHere(third));
    assert.ok(!(await isHere(fourth)));
  });

  test("nor is it applied again with another object", async () => {
    const eve = stranger();
    const posts = [];
    for (const post of ["one", "two"])
      posts.push(await ann.post<PostRecord>("/posts", { post }));
    const like = eve.activity("Like", {});
    for (const { Guid } of posts)
      await say(eve, { ...like, object: objectOf(kith(), Guid) });
    const likes = [];
    for (const { Guid } of posts)
      likes.push((await ann.get<PostRecord>(`/posts/${Guid}`)).LikesCount);
    assert.deepEqual(likes, [1, 0]);
  });

  test("a Dislike takes the place of a Like, which a replay does not bring back, but its author does", async () => {
    const eve = await followed();
    const post = await ann.post<PostRecord>("/posts", { post: "what of it" });
    const object = objectOf(kith(), post.Guid);
    const guid = newGuid();
    const like = eve.activity("Like", { object, "diaspora:guid": guid });
    const dislike = eve.activity("Dislike", { object });
    const counts = async () => {
      const path = `/posts/${post.ID}`;
      const { LikesCount, DislikesCount } = await ann.get<PostRecord>(path);
      return [LikesCount, DislikesCount];
    };
    await say(eve, like);
    assert.deepEqual(await counts(), [1, 0]);
    const { likes, retractions } = kith().server.features;
    const first = await likes.find({ uri: idOf(like) });
    assert.ok(first);
    await say(eve, dislike);
    assert.deepEqual(await counts(), [0, 1]);
    assert.ok(await retractions.find({ ...first, kind: "Like" }));
    // By another path, and without its author saying it now.
    await likes.receive({ ...first, uri: idOf(like) });
    assert.deepEqual(await counts(), [0, 1]);
    await say(eve, like);
    assert.deepEqual(await counts(), [1, 0]);
    const anew = await likes.find({ uri: idOf(like) });
    assert.notEqual(anew?.guid, first.guid, "others know that one as gone");
    await say(eve, eve.activity("Undo", { object: like }));
    assert.deepEqual(await counts(), [0, 0]);
  });

  test("a Like that is said again after its Undo counts, and one that its Undo overtook does not", async () => {
    const eve = stranger();
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "nice" });
    const object = objectOf(kith(), Guid);
    const like = eve.activity("Like", { object });
    const undo = eve.activity("Undo", { object: like });
    const likes = async () =>
      (await ann.get<PostRecord>(`/posts/${Guid}`)).LikesCount;
    await say(eve, like);
    assert.equal(await likes(), 1);
    await say(eve, undo);
    assert.equal(await likes(), 0);
    await say(eve, like);
    assert.equal(await likes(), 1);
    await say(eve, undo);
    assert.equal(await likes(), 0);
    const late = eve.activity("Like", { object });
    await say(eve, eve.activity("Undo", { object: late }));
    await say(eve, late);
    assert.equal(await likes(), 0, "overtaken");
  });
});
