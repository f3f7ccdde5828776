import assert from "node:assert/strict";
import { test } from "node:test";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Entry = PostRecord & {
  readonly HomeKey: number;
  readonly Reply?: CommentRecord;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, more = {}) =>
    by.post<PostRecord>("/posts", { post, aspectID: 0, ...more });
  const comment = (by: TestPerson, on: { ID: number }, text: string, to = "") =>
    by.post<CommentRecord>(`/posts/${on.ID}/comments`, {
      comment: text,
      ...(to !== "" && { parent_guid: to }),
    });
  const read = (by: TestPerson, query = {}) =>
    by.get<Entry[]>("/home", { limit: 100, ...query });
  const all = { replies: "all" };
  const texts = async (by: TestPerson, query = {}) =>
    (await read(by, query)).map(({ Reply, Text }) => Reply?.Text ?? Text);
  /** The comments alone. */
  const replies = async (by: TestPerson, query = {}) =>
    (await read(by, query)).flatMap(({ Reply }) => Reply?.Text ?? []);

  /** A reader with two contacts in an aspect each, and somebody in none. */
  async function circle() {
    const [reader, ann, bob, stranger] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const ids: number[] = [];
    for (const [name, one] of [
      ["friends", ann],
      ["family", bob],
    ] as const) {
      const { ID } = await reader.post<AspectRecord>("/aspects", { name });
      await reader.post(`/people/${one.record.ID}/aspects/${ID}`);
      ids.push(ID);
    }
    const [friends = 0, family = 0] = ids;
    return { reader, ann, bob, stranger, friends, family };
  }

  test("comments are entries of their own only where they are asked for, by whom they answer", async () => {
    const { reader, ann, bob, stranger, friends } = await circle();
    const far = await publish(stranger, "far");
    const near = await publish(bob, "near");
    const mine = await publish(reader, "mine");
    await comment(ann, far, "to a stranger");
    await comment(ann, near, "to bob");
    const self = await comment(ann, mine, "to the reader");
    await comment(ann, mine, "to herself", self.Guid);
    await comment(stranger, near, "by a stranger");
    await comment(reader, far, "by the reader");
    await comment(bob, far, "by bob to a stranger");
    const posts = ["mine", "near"];
    assert.deepEqual(await texts(reader), posts);
    assert.deepEqual(await texts(reader, { replies: "none" }), posts);
    const followed = ["by the reader", "to herself", "to the reader", "to bob"];
    assert.deepEqual(await texts(reader, { replies: "followed" }), [
      ...followed,
      ...posts,
    ]);
    assert.deepEqual(await replies(reader, { replies: "list" }), followed);
    assert.deepEqual(await replies(reader, all), [
      "by bob to a stranger",
      ...followed,
      "to a stranger",
    ]);
    const inAspect = { aspectID: friends };
    const ofAnn = ["to herself", "to the reader", "to bob"];
    assert.deepEqual(
      await replies(reader, { ...inAspect, replies: "followed" }),
      ofAnn,
    );
    assert.deepEqual(
      await replies(reader, { ...inAspect, replies: "list" }),
      ofAnn.slice(0, 2),
    );
    assert.deepEqual(await replies(reader, { ...inAspect, ...all }), [
      ...ofAnn,
      "to a stranger",
    ]);
    const [first] = await read(reader, all);
    assert.equal(first?.Text, "far");
    assert.equal(first?.Reply?.PersonID, bob.record.ID);
    assert.equal(first?.Reply?.ShareableID, far.ID);
    for (const entry of await read(reader)) assert.ok(!("Reply" in entry));
  });

  test("bad choices are refused, and pages meet by the keys of their entries", async () => {
    const { reader, ann, stranger } = await circle();
    for (const word of ["maybe", "true", "All"]) {
      const answer = await reader.call("GET", `/home?replies=${word}`);
      assert.equal(answer.status, 400);
      assert.match(
        answer.text,
        /The parameter replies must be .*none.*followed.*list.*all/,
      );
    }
    const post = await publish(stranger, "seen by all");
    const wanted: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      const text = `entry ${at}`;
      if (at % 3 === 0) await publish(ann, text);
      else await comment(ann, post, text);
      await read(reader, all);
      wanted.unshift(text);
    }
    assert.deepEqual(await texts(reader, all), wanted);
    const keys = (await read(reader, all)).map(({ HomeKey }) => HomeKey);
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => b - a),
    );
    assert.deepEqual(
      await texts(reader, { ...all, limit: 3, before: keys[2] }),
      wanted.slice(3, 6),
    );
    assert.deepEqual(
      await texts(reader, { ...all, limit: 3, after: keys[5] }),
      wanted.slice(2, 5),
    );
    assert.deepEqual(
      await texts(reader, { ...all, after: keys[5], before: keys[1] }),
      wanted.slice(2, 5),
    );
    assert.deepEqual(
      await texts(reader, { ...all, limit: 2, offset: 3 }),
      wanted.slice(3, 5),
    );
    assert.deepEqual(await texts(reader, { ...all, offset: 10_000 }), []);
    // A new entry is in the next answer, and a deleted one in none.
    const last = await comment(ann, post, "the last");
    assert.equal((await texts(reader, all))[0], "the last");
    await ann.delete(`/comments/${last.ID}`);
    assert.deepEqual(await texts(reader, all), wanted);
    const next = await comment(ann, post, "after that");
    const [entry] = await read(reader, { ...all, after: keys[0] });
    assert.equal(entry?.Reply?.ID, next.ID);
  });

  test("comments that the reader may not see, or does not want to, are left out", async () => {
    const { reader, ann, bob, stranger } = await circle();
    await befriend(stranger, ann.handle);
    const other = await publish(stranger, "the other conversation");
    await comment(ann, other, "stays");
    const post = await publish(stranger, "a conversation");
    const { ID: id } = await stranger.post<AspectRecord>("/aspects", {
      name: "x",
    });
    await stranger.post(`/people/${ann.record.ID}/aspects/${id}`);
    const limited = await publish(stranger, "not for the reader", {
      aspectID: id,
    });
    await comment(ann, limited, "hidden with its post");
    const made = await comment(ann, post, "a word about tea");
    const below = await comment(stranger, post, "by a stranger");
    await comment(ann, post, "an answer", below.Guid);
    const seen = ["an answer", "a word about tea", "stays"];
    assert.deepEqual(await replies(reader, all), seen);

    await reader.post(`/people/${stranger.record.ID}/ignore`);
    assert.deepEqual(await replies(reader, all), []);
    await reader.delete(`/people/${stranger.record.ID}/ignore`);
    await reader.put(`/posts/${post.ID}/mute`);
    assert.deepEqual(await replies(reader, all), ["stays"]);
    await reader.delete(`/posts/${post.ID}/mute`);
    const third = await publish(stranger, "to be hidden");
    await comment(ann, third, "below it");
    assert.equal((await replies(reader, all))[0], "below it");
    await reader.delete(`/posts/${third.ID}`);
    assert.deepEqual(await replies(reader, all), seen);

    const filter = async (keyword: string) => {
      const json = {
        ...{ title: "t", keyword: [keyword] },
        ...{ context: ["home"], action: "hide" },
      };
      const answer = await reader.call("POST", "/filters", { json });
      assert.equal(answer.status, 200, answer.text);
      const shown = await replies(reader, all);
      const { ID } = JSON.parse(answer.text) as { ID: number };
      await reader.delete(`/filters/${ID}`);
      return shown;
    };
    assert.deepEqual(await filter("tea"), ["an answer", "stays"]);
    assert.deepEqual(await filter("the other"), seen.slice(0, 2));

    await ann.put(`/comments/${made.ID}`, { comment: "tea", language: "fr" });
    const languages = (ReadLanguages: readonly string[]) =>
      reader.call("PUT", "/settings", { json: { ReadLanguages } });
    await languages(["en"]);
    assert.deepEqual(await replies(reader, all), ["an answer", "stays"]);
    await languages([]);

    await comment(bob, other, "by bob");
    assert.equal((await replies(reader, all)).length, 4);
    await bob.post(`/people/${reader.record.ID}/block`);
    assert.equal((await replies(reader, all)).length, 3);
    await ann.post(`/people/${reader.record.ID}/block`);
    assert.deepEqual(await replies(reader, all), []);
  });

  test("comments have places if anybody here reads their author, and imported ones have none", async () => {
    const { reader, ann, stranger } = await circle();
    const { features } = kith().server;
    const far = await remotePerson(kith(), `far@replies.example`);
    const post = await publish(stranger, "a post");
    const countNotes = async () =>
      (
        await kith()
          .db.read.selectFrom("unplaced_comments")
          .select("id")
          .execute()
      ).length;
    await features.homes.placeAll();
    const receive = async (guid: string) => {
      const about = { guid, personId: far.id, postId: post.ID, text: guid };
      const stored = await features.comments.receive({
        ...{ ...about, parentGuid: null, uri: null },
        createdAt: kith().clock.now().toISOString(),
      });
      assert.equal(stored.kind, "stored");
    };
    await receive("a".repeat(32));
    assert.equal(await countNotes(), 0);
    await befriend(reader, far.handle);
    await receive("b".repeat(32));
    assert.equal(await countNotes(), 1);
    assert.deepEqual(await replies(reader, all), ["b".repeat(32)]);
    assert.equal(await countNotes(), 0);

    const userId = ann.record.UserID ?? assert.fail();
    const own = await publish(ann, "an own post");
    const imported = await features.comments.import({
      ...{ author: { userId, personId: ann.record.ID }, guid: "c".repeat(32) },
      ...{ postId: own.ID, parentGuid: null, text: "old", warning: null },
      language: null,
      createdAt: "2020-01-01T00:00:00.000Z",
      updatedAt: "2020-01-01T00:00:00.000Z",
    });
    assert.equal(imported, true);
    assert.deepEqual(await replies(reader, all), ["b".repeat(32)]);
    const remote = remotePost(far);
    assert.equal((await features.posts.receive(remote)).kind, "stored");
    assert.equal((await texts(reader, all))[0], remote.text);
  });
});
