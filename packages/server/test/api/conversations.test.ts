import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { say, startTalk } from "../support/conversations/talking.ts";
import type {
  ConversationRecord,
  MessageRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let bob: TestPerson;
  let cleo: TestPerson;
  let eve: TestPerson;

  beforeEach(async () => {
    ann = await kith().person();
    bob = await kith().person();
    cleo = await kith().person();
    eve = await kith().person();
  });

  const start = (
    by: TestPerson,
    others: readonly TestPerson[],
    text = "Shall we?",
    subject = "Saturday",
  ) =>
    startTalk(
      by,
      others.map(({ record }) => record.ID),
      { text, subject },
    );
  const list = (by: TestPerson, query = {}) =>
    by.get<ConversationRecord[]>("/conversations", query);
  const messages = (by: TestPerson, { ID }: { ID: number }, query = {}) =>
    by.get<MessageRecord[]>(`/conversations/${ID}/messages`, query);
  const unread = async (by: TestPerson) =>
    (await by.get<{ Unread: number }>("/conversations/unread")).Unread;
  const notices = async (by: TestPerson) => {
    await kith().settle();
    const all = await by.get<NotificationRecord[]>("/notifications");
    return all.filter(({ ShareableType }) => ShareableType === "Post");
  };

  test("named people write to each other, and nobody else reads it", async () => {
    const talk = await start(ann, [bob, cleo, bob, ann]);
    assert.equal(talk.Subject, "Saturday");
    assert.equal(talk.Unread, 0);
    assert.equal(talk.LastMessage?.Text, "Shall we?");
    assert.deepEqual(
      talk.Participants.map(({ ID }) => ID),
      [ann, bob, cleo].map(({ record }) => record.ID),
    );
    const said = await say(bob, talk, " Gladly ");
    assert.equal(said.Text, "Gladly");
    assert.equal(said.Person.ID, bob.record.ID);
    assert.equal(said.ConversationID, talk.ID);
    for (const one of [ann, bob, cleo]) {
      const [found, ...more] = await list(one);
      assert.equal(more.length, 0);
      assert.equal(found?.Guid, talk.Guid);
      assert.equal(found.LastMessage?.Text, "Gladly");
      assert.deepEqual(
        (await messages(one, talk)).map(({ Text }) => Text),
        ["Gladly", "Shall we?"],
      );
    }
    assert.deepEqual(await list(eve), []);
    const path = `/conversations/${talk.ID}`;
    for (const [method, below] of [
      ["GET", ""],
      ["DELETE", ""],
      ["PUT", "/read"],
      ["GET", "/messages"],
      ["POST", "/messages"],
    ] as const)
      await eve.notFound(method, path + below, {
        ...(method === "POST" && { form: { text: "x" } }),
      });
  });

  test("messages are unread until they are read, for each by themselves", async () => {
    const talk = await start(ann, [bob, cleo]);
    await say(ann, talk, "Or Sunday?");
    assert.equal((await list(bob))[0]?.Unread, 2);
    assert.equal((await list(ann))[0]?.Unread, 0);
    assert.deepEqual([await unread(ann), await unread(bob)], [0, 1]);
    const [newest, first] = await messages(bob, talk);
    const path = `/conversations/${talk.Guid}/read`;
    const mark = (form = {}) => bob.put<ConversationRecord>(path, form);
    assert.equal((await mark({ messageID: first?.ID ?? 0 })).Unread, 1);
    assert.equal((await mark()).Unread, 0);
    assert.equal((await mark({ messageID: newest?.ID ?? 0 })).Unread, 0);
    assert.deepEqual([await unread(bob), await unread(cleo)], [0, 1]);
    assert.equal((await mark({ read: false })).Unread, 1);
    assert.equal((await mark({ read: false })).Unread, 1);
    assert.equal(await unread(bob), 1);
    await ann.badRequest("PUT", path, { form: { read: false } });
    // Whoever answers has read what is there.
    await say(bob, talk, "Sunday");
    assert.equal(await unread(bob), 0);
    assert.equal((await list(ann))[0]?.Unread, 1);
  });

  test("ten messages make one notification, which ends with the reading", async () => {
    const talk = await start(ann, [bob]);
    for (let count = 0; count < 10; count += 1)
      await say(ann, talk, `Message ${count}`);
    const [one, ...more] = await notices(bob);
    assert.equal(more.length, 0);
    assert.ok(one?.Unread);
    assert.equal(one.TargetGuid, talk.Guid);
    assert.equal(one.Person.ID, ann.record.ID);
    assert.deepEqual(await notices(ann), []);
    await bob.put(`/conversations/${talk.ID}/read`);
    assert.deepEqual(
      (await notices(bob)).map(({ Unread }) => Unread),
      [false],
    );
    await say(ann, talk, "One more");
    assert.deepEqual(
      (await notices(bob)).map(({ Unread }) => Unread),
      [true],
    );
    const other = await bob.get<NotificationRecord[]>("/notifications");
    assert.equal(other.length, 1);
  });

  test("the newest message comes first, and pages lead both ways", async () => {
    const talks = [];
    for (const subject of ["One", "Two", "Three", "Four"])
      talks.push(await start(ann, [bob], "Hello", subject));
    const [one] = talks;
    await say(bob, one ?? assert.fail(), "Again");
    const subjects = async (query = {}) =>
      (await list(ann, query)).map(({ Subject }) => Subject);
    assert.deepEqual(await subjects(), ["One", "Four", "Three", "Two"]);
    assert.deepEqual(await subjects({ offset: 1, limit: 2 }), [
      "Four",
      "Three",
    ]);
    const [, , third] = await list(ann);
    const key = third?.ID ?? 0;
    assert.deepEqual(await subjects({ before: key }), ["Two"]);
    assert.deepEqual(await subjects({ after: key, limit: 1 }), ["Four"]);
    assert.deepEqual(await subjects({ after: key }), ["One", "Four"]);
    const all = await messages(ann, one ?? assert.fail());
    const [, first] = all;
    assert.deepEqual(
      await messages(ann, one ?? assert.fail(), { after: first?.ID ?? 0 }),
      all.slice(0, 1),
    );
    assert.deepEqual(
      await messages(ann, one ?? assert.fail(), { before: all[0]?.ID ?? 0 }),
      all.slice(1),
    );
  });

  test("a hidden conversation comes back with the next message, one that was left does not", async () => {
    const talk = await start(ann, [bob, cleo]);
    await bob.delete(`/conversations/${talk.ID}`);
    await cleo.call("DELETE", `/conversations/${talk.ID}`, {
      query: { leave: true },
    });
    assert.deepEqual(await list(bob), []);
    assert.deepEqual(await list(cleo), []);
    assert.equal(await unread(bob), 0);
    assert.equal((await list(ann)).length, 1);
    await say(ann, talk, "Still there?");
    assert.equal((await list(bob))[0]?.Unread, 1);
    assert.deepEqual(await list(cleo), []);
    assert.equal(await unread(cleo), 0);
    assert.ok((await notices(cleo)).every(({ Unread }) => !Unread));
    const shown = await cleo.get<ConversationRecord>(
      `/conversations/${talk.ID}`,
    );
    assert.equal(shown.State, "left");
    // Whoever writes takes part again.
    await say(cleo, talk, "Yes");
    assert.equal((await list(cleo)).length, 1);
  });

  test("it is among its participants' limited posts alone", async () => {
    await ann.post(`/tags/harbour`);
    await bob.post(`/tags/harbour`);
    const talk = await start(ann, [bob], "At the #harbour");
    await say(bob, talk, "Which #harbour?");
    const { ID: streamId } = await bob.post<{ ID: number }>("/users/streams", {
      name: "all",
      expression: "harbour",
    });
    const listed = async (by: TestPerson, path: string) =>
      (await by.get<PostRecord[]>(path)).map(({ ID }) => ID);
    for (const path of ["/posts", "/posts?visibility=2"]) {
      for (const by of [ann, bob])
        assert.deepEqual(await listed(by, path), [talk.ID], path);
      assert.deepEqual(await listed(eve, path), [], path);
    }
    for (const by of [ann, bob])
      for (const path of [
        "/posts?visibility=1",
        `/people/${ann.record.ID}/stream`,
        "/tags/posts",
        "/tags/harbour/posts",
        ...(by === bob ? [`/users/streams/${streamId}/posts`] : []),
      ])
        assert.deepEqual(await listed(by, path), [], path);
    // Its participants find it by its own name.
    const post = await bob.get<PostRecord>(`/posts/${talk.Guid}`);
    assert.equal(post.Public, false);
    await bob.badRequest("POST", `/posts/${talk.ID}/reshare`);
    await eve.notFound("GET", `/posts/${talk.ID}`);
    const reply = post.Comments[0] ?? assert.fail();
    await eve.notFound("GET", `/comments/${reply.ID}`);
  });

  test("bad input is refused, and nothing is stored", async () => {
    const { ID } = bob.record;
    const refused = (form: Record<string, unknown>) =>
      ann.badRequest("POST", "/conversations", { json: form });
    await ann.blank("POST", "/conversations", { form: { personID: ID } });
    await ann.blank("POST", "/conversations", {
      form: { personID: ID, text: " \n" },
    });
    await refused({ text: "Alone" });
    await refused({ text: "Alone", personID: ann.record.ID });
    await refused({ text: "x".repeat(65_536), personID: ID });
    await refused({ text: "x", subject: "x".repeat(256), personID: ID });
    await refused({ text: "x", personID: -1 });
    await refused({
      text: "x",
      personID: Array.from({ length: 50 }, (_, at) => 1_000_000 + at),
    });
    await ann.notFound("POST", "/conversations", {
      form: { text: "x", personID: 9_999_999 },
    });
    assert.deepEqual(await list(ann), []);
    const talk = await start(ann, [bob]);
    const path = `/conversations/${talk.ID}/messages`;
    await ann.blank("POST", path, { form: { text: "" } });
    await ann.badRequest("POST", path, { form: { text: "x".repeat(65_536) } });
    assert.equal((await messages(ann, talk)).length, 1);
  });

  test("blocked people neither write nor are written to", async () => {
    const talk = await start(ann, [bob, cleo]);
    await bob.post(`/people/${eve.record.ID}/block`);
    await eve.notFound("POST", "/conversations", {
      form: { text: "x", personID: bob.record.ID },
    });
    await bob.badRequest("POST", "/conversations", {
      form: { text: "x", personID: eve.record.ID },
    });
    // Among several, a message reaches those who have not blocked its author.
    await bob.put(`/conversations/${talk.ID}/read`);
    await bob.post(`/people/${cleo.record.ID}/block`);
    await say(cleo, talk, "Me, too");
    assert.equal((await list(ann))[0]?.Unread, 1);
    assert.equal((await list(bob))[0]?.Unread, 0);
    assert.equal((await list(bob))[0]?.LastMessage?.Text, "Shall we?");
    assert.equal((await messages(bob, talk)).length, 1);
    assert.equal(await unread(bob), 0);
    assert.ok((await notices(bob)).every(({ Unread }) => !Unread));
    // And whoever has blocked its starter has the conversation no longer.
    await bob.post(`/people/${ann.record.ID}/block`);
    assert.deepEqual(await list(bob), []);
    await ann.post(`/people/${cleo.record.ID}/block`);
    await cleo.notFound("GET", `/conversations/${talk.ID}`);
    await cleo.notFound("POST", `/conversations/${talk.ID}/messages`, {
      form: { text: "x" },
    });
  });

  test("a deleted message counts no longer, and a deleted conversation is gone", async () => {
    const talk = await start(ann, [bob]);
    await bob.put(`/conversations/${talk.ID}/read`);
    const said = await say(ann, talk, "Oops");
    await ann.delete(`/comments/${said.ID}`);
    assert.equal(await unread(bob), 0);
    assert.equal((await list(bob))[0]?.LastMessage?.Text, "Shall we?");
    await kith().settle();
    await ann.delete(`/posts/${talk.ID}`);
    assert.deepEqual(await list(bob), []);
    await bob.notFound("GET", `/conversations/${talk.ID}`);
    assert.deepEqual(await notices(bob), []);
  });
});
