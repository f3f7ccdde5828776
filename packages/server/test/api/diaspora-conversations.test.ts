import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import {
  decryptEnvelope,
  parseEnvelope,
  verifyEnvelope,
  type Conversation,
  type Message,
} from "@kith/diaspora";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type {
  CommentRecord,
  ConversationRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

/** @throws {DiasporaError} where it is not encrypted to the one and signed by the other */
async function verifySealed(
  body: Buffer,
  { privateKey }: PodPerson,
  signerKeyPem: string,
): Promise<void> {
  const envelope = parseEnvelope(await decryptEnvelope(body, privateKey));
  await verifyEnvelope(envelope, createPublicKey(signerKeyPem));
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let far: DiasporaPod;
  let ann: TestPerson;
  let bob: PodPerson;
  let zoe: PodPerson;
  let talk: Conversation;

  before(async () => {
    pod = await DiasporaPod.start();
    far = await DiasporaPod.start();
  });
  after(() => Promise.all([pod.close(), far.close()]));
  beforeEach(async () => {
    ann = await kith().person();
    const [name = ""] = ann.handle.split("@");
    bob = pod.person(`bob-${name}`);
    zoe = far.person(`zoe-${name}`);
    await befriend(ann, bob.handle);
    await kith().settle();
    talk = conversation([zoe]);
    await bob.whisper(kith(), talk, ann);
    pod.posted.length = 0;
    far.posted.length = 0;
  });

  function conversation(others: readonly PodPerson[]): Conversation {
    const author = bob.handle;
    const guid = newGuid();
    return {
      type: "conversation",
      author,
      guid,
      subject: "Us three",
      participants: [
        author,
        ann.handle,
        ...others.map(({ handle }) => handle),
      ].join(";"),
      messages: [messageBy(bob, guid, "Shall we?")],
    };
  }

  function messageBy(
    { handle: author }: PodPerson,
    conversationGuid: string,
    text: string,
  ): Message {
    return { type: "message", author, guid: newGuid(), text, conversationGuid };
  }

  const find = () => ann.get<PostRecord>(`/posts/${talk.guid}`);

  const answer = async (by: TestPerson, post: PostRecord, text: string) => {
    const comment = await by.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      text,
    });
    await kith().settle();
    return comment;
  };

  test("a private conversation is shown here, and the reply reaches everyone", async () => {
    const post = await find();
    assert.equal(post.ContentWarning, "Us three");
    assert.equal(post.Text, "Shall we?");
    assert.equal(post.Public, false);
    const [notification] =
      await ann.get<NotificationRecord[]>("/notifications");
    assert.equal(notification?.TargetGuid, talk.guid);
    const [shown, ...others] =
      await ann.get<ConversationRecord[]>("/conversations");
    assert.equal(others.length, 0);
    assert.equal(shown?.Subject, "Us three");
    assert.equal(shown.Unread, 1);
    assert.deepEqual(
      new Set(shown.Participants.map(({ Author }) => Author)),
      new Set([bob.handle, zoe.handle, ann.handle]),
    );

    const comment = await answer(ann, post, " Gladly ");
    for (const [server, person] of [
      [pod, bob],
      [far, zoe],
    ] as const) {
      const [one, ...more] = await server.arrived();
      assert.equal(more.length, 0);
      assert.equal(one?.sender, ann.handle);
      assert.equal(one.to, person);
      assert.ok(one.entity.type === "message");
      const { author, guid, text, conversationGuid } = one.entity;
      assert.deepEqual(
        { author, guid, text, conversationGuid },
        {
          author: ann.handle,
          guid: comment.Guid,
          text: "Gladly",
          conversationGuid: talk.guid,
        },
      );
      const [{ path, body } = assert.fail()] = server.posted;
      assert.equal(path, `/receive/users/${person.guid}`);
      await verifySealed(body, person, ann.record.SerializedPublicKey);
    }
  });

  test("a person who could not be found at first gets the later answers", async () => {
    const late = far.person(`late-${bob.name}`);
    const path = "/.well-known/webfinger";
    far.serves.set(path, (response) => response.writeHead(503).end());
    talk = conversation([late]);
    await bob.whisper(kith(), talk, ann);
    far.serves.delete(path);
    await answer(ann, await find(), "One");
    assert.deepEqual(await far.ofType("message"), []);
    kith().clock.advance(3_600_000);
    await kith().settle();
    await answer(ann, await find(), "Two");
    assert.deepEqual(
      (await far.ofType("message")).map(({ to, entity }) => [to, entity.text]),
      [[late, "Two"]],
    );
  });

  test("others' messages are notified, and not relayed", async () => {
    await zoe.whisper(kith(), messageBy(zoe, talk.guid, "Me too"), ann);
    const { Comments } = await find();
    assert.deepEqual(
      Comments.map(({ Text, Person }) => [Text, Person.Author]),
      [["Me too", zoe.handle]],
    );
    const notifications = await ann.get<NotificationRecord[]>("/notifications");
    const [one, ...more] = notifications.filter(
      ({ ShareableType }) => ShareableType === "Post",
    );
    assert.equal(more.length, 0);
    assert.equal(one?.TargetGuid, talk.guid);
    assert.equal(one.Person.Author, zoe.handle);
    assert.deepEqual([...pod.posted, ...far.posted], []);
  });

  test("likes stay here, and so does the end of an answer", async () => {
    const post = await find();
    const message = messageBy(zoe, talk.guid, "Me too");
    await zoe.whisper(kith(), message, ann);
    const comment = await answer(ann, post, "Gladly");
    const [{ ID: other } = assert.fail()] = (await find()).Comments;
    pod.posted.length = 0;
    far.posted.length = 0;
    await ann.post(`/posts/${post.ID}/likes`);
    await ann.post(`/posts/${post.ID}/likes/false`);
    await ann.post(`/comments/${other}/likes`);
    await ann.delete(`/comments/${comment.Guid}`);
    await kith().settle();
    assert.deepEqual([...pod.posted, ...far.posted], []);
    assert.equal((await find()).DislikesCount, 1);
    assert.equal((await find()).Comments.length, 1);
  });

  test("a blocked person gets no reply", async () => {
    const post = await find();
    const { ID } = await ann.post<{ ID: number }>("/search", {
      handle: zoe.handle,
    });
    await ann.post(`/people/${ID}/block`);
    await kith().settle();
    far.posted.length = 0;
    await answer(ann, post, "Gladly");
    assert.equal((await pod.ofType("message")).length, 1);
    assert.deepEqual(await far.ofType("message"), []);
  });
});
