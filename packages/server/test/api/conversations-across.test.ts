import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  isJsonObject,
  readNote,
  type JsonObject,
  type Note,
} from "@kith/activitypub";
import type { Conversation, Message } from "@kith/diaspora";
import { newGuid } from "../../src/lib/guids.ts";
import { say, startTalk, textsOf } from "../support/conversations/talking.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { actorOf } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend, seen } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  ConversationRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let remote: RemoteServer;
  let ann: TestPerson;
  let amy: TestPerson;
  let dan: PodPerson;
  let mas: RemoteActor;
  let mo: RemoteActor;
  let names = 0;

  before(async () => {
    pod = await DiasporaPod.start();
    remote = await RemoteServer.start();
  });
  after(() => Promise.all([pod.close(), remote.close()]));
  beforeEach(async () => {
    names += 1;
    ann = await kith().person();
    amy = await kith().person();
    dan = pod.person(`dan${names}`);
    mas = remote.actor(`mas${names}`);
    mo = remote.actor(`mo${names}`);
  });

  const uriOf = ({ username }: TestPerson) => actorOf(kith(), username);

  function notesSent(): Note[] {
    return remote.ofType("Create").map(({ activity }) => {
      const { object } = activity;
      assert.ok(isJsonObject(object));
      return readNote(object);
    });
  }

  /** Ann writes to Amy here, to Dan on a pod and to Mas on Mastodon. */
  async function startAcross(): Promise<ConversationRecord> {
    const there = [
      (await seen(ann, dan.handle)).ID,
      (await seen(ann, mas.handle)).ID,
    ];
    await kith().settle();
    forgetSent();
    const talk = await startTalk(ann, [amy.record.ID, ...there]);
    await kith().settle();
    return talk;
  }

  function forgetSent(): void {
    pod.posted.length = 0;
    remote.delivered.length = 0;
  }

  const tagged = (note: Note) =>
    note.tags.flatMap(({ type, href }) =>
      type === "Mention" ? (href ?? []) : [],
    );

  test("everyone gets a conversation in the form of their own protocol", async () => {
    const talk = await startAcross();
    assert.deepEqual(talk.MayNotArrive, [(await seen(ann, dan.handle)).ID]);
    const [one, ...more] = await pod.arrived();
    assert.equal(more.length, 0);
    assert.equal(one?.to, dan);
    assert.ok(one.entity.type === "conversation");
    const { author, guid, subject, participants, messages } = one.entity;
    assert.deepEqual(
      { author, guid, subject },
      { author: ann.handle, guid: talk.Guid, subject: "Saturday" },
    );
    // A pod would look up an actor in vain.
    assert.deepEqual(
      participants.split(";").sort(),
      [ann.handle, amy.handle, dan.handle].sort(),
    );
    assert.deepEqual(
      messages.map((message) => [message.author, message.text]),
      [[ann.handle, `Shall we?\n\n(+ ${mas.handle})`]],
    );
    const [note, ...others] = notesSent();
    assert.equal(others.length, 0);
    assert.equal(note?.summary, "Saturday");
    assert.deepEqual(note.to.sort(), [uriOf(amy), mas.id].sort());
    assert.deepEqual(note.cc, []);
    assert.deepEqual(tagged(note).sort(), [uriOf(amy), mas.id].sort());
    assert.equal(note.direct, true);
    // What is asked for is what was sent.
    const asked = await mas.get(kith(), note.id);
    const found = readNote(JSON.parse(asked.text) as JsonObject);
    assert.deepEqual(tagged(found).sort(), tagged(note).sort());
  });

  test("a message of each reaches all others, on either protocol", async () => {
    const talk = await startAcross();
    const [begun = assert.fail()] = notesSent();
    forgetSent();

    await say(amy, talk, "Amy can");
    await kith().settle();
    const [message, ...more] = await pod.ofType("message");
    assert.equal(more.length, 0);
    assert.deepEqual(
      [message?.sender, message?.entity.text],
      [amy.handle, "Amy can"],
    );
    const [note] = notesSent();
    assert.equal(note?.attributedTo, uriOf(amy));
    assert.equal(note.inReplyTo, begun.id);
    assert.deepEqual(note.to.sort(), [uriOf(ann), mas.id].sort());
    assert.deepEqual(tagged(note).sort(), [uriOf(ann), mas.id].sort());

    forgetSent();
    const answer = mas.note({
      inReplyTo: note.id,
      content: "<p>Mas can</p>",
      published: kith().clock.now().toISOString(),
      to: [uriOf(ann), uriOf(amy)],
    });
    await mas.deliver(kith(), mas.activity("Create", { object: answer }));
    const passedOn = await pod.ofType("message");
    assert.deepEqual(
      passedOn.map(({ sender, entity }) => [sender, entity.text]),
      [[ann.handle, `**${mas.handle}:**\n\nMas can`]],
    );
    assert.deepEqual(remote.delivered, []);

    forgetSent();
    const said: Message = {
      type: "message",
      author: dan.handle,
      guid: newGuid(),
      text: "Dan can",
      conversationGuid: talk.Guid,
    };
    await dan.whisper(kith(), said, ann);
    await dan.whisper(kith(), said, amy);
    assert.deepEqual(await pod.ofType("message"), []);
    const [forwarded, ...doubles] = notesSent();
    assert.equal(doubles.length, 0);
    assert.equal(forwarded?.attributedTo, uriOf(ann));
    assert.match(forwarded.content, /dan.*Dan can/s);

    // An answer to what was passed on is one in the conversation.
    const last = mas.note({
      inReplyTo: forwarded.id,
      content: "<p>Fine</p>",
      published: kith().clock.now().toISOString(),
      to: [uriOf(ann), uriOf(amy)],
    });
    await mas.deliver(kith(), mas.activity("Create", { object: last }));
    for (const by of [ann, amy])
      assert.deepEqual(await textsOf(by, talk), [
        [ann.handle, "Shall we?"],
        [amy.handle, "Amy can"],
        [mas.handle, "Mas can"],
        [dan.handle, "Dan can"],
        [mas.handle, "Fine"],
      ]);
  });

  /** A direct message of Mas's, as Mastodon sends it. */
  function direct(others: readonly string[], members: JsonObject = {}) {
    return mas.note({
      to: [...others],
      content: "<p>psst</p>",
      tag: others.map((href) => ({ type: "Mention", href, name: "@x" })),
      ...members,
    });
  }

  const deliver = (by: RemoteActor, object: JsonObject) =>
    by.deliver(kith(), by.activity("Create", { object }));
  const list = (by: TestPerson) =>
    by.get<ConversationRecord[]>("/conversations");

  test("a direct message begins a conversation of all whom it names", async () => {
    const note = direct([uriOf(ann), mo.id], { summary: "A secret" });
    await deliver(mas, note);
    const [talk, ...more] = await list(ann);
    assert.equal(more.length, 0);
    assert.equal(talk?.Subject, "A secret");
    assert.equal(talk.Unread, 1);
    assert.equal(talk.LastMessage?.Text, "psst");
    assert.deepEqual(
      talk.Participants.map(({ Author }) => Author).sort(),
      [mas.handle, mo.handle, ann.handle].sort(),
    );
    const [post] = await ann.get<PostRecord[]>("/posts");
    assert.equal(post?.ID, talk.ID);
    assert.deepEqual(await amy.get<PostRecord[]>("/posts"), []);
    assert.deepEqual(await list(amy), []);
    const notices = await ann.get<NotificationRecord[]>("/notifications");
    assert.deepEqual(
      notices.map(({ ShareableType, Person }) => [
        ShareableType,
        Person.Author,
      ]),
      [["Post", mas.handle]],
    );

    forgetSent();
    await say(ann, talk, "Tell me");
    await kith().settle();
    const [answer = assert.fail()] = notesSent();
    assert.equal(answer.inReplyTo, note["id"]);
    assert.deepEqual(answer.to.sort(), [mas.id, mo.id].sort());
    assert.deepEqual(tagged(answer).sort(), [mas.id, mo.id].sort());

    await deliver(
      mo,
      mo.note({
        inReplyTo: answer.id,
        content: "<p>Me, too</p>",
        published: kith().clock.now().toISOString(),
        to: [mas.id, uriOf(ann)],
      }),
    );
    assert.deepEqual(await textsOf(ann, talk), [
      [mas.handle, "psst"],
      [ann.handle, "Tell me"],
      [mo.handle, "Me, too"],
    ]);
  });

  test("an answer to fewer people is a conversation of its own, which the others do not see", async () => {
    await deliver(mas, direct([uriOf(ann), uriOf(amy)]));
    const [talk = assert.fail()] = await list(amy);
    const { uri } =
      (await kith().server.features.posts.find({ id: talk.ID })) ??
      assert.fail();
    await deliver(
      mas,
      direct([uriOf(ann)], { inReplyTo: uri, content: "<p>about Amy</p>" }),
    );
    assert.equal((await textsOf(amy, talk)).length, 1);
    assert.equal((await list(amy)).length, 1);
    assert.deepEqual(
      (await list(ann)).map(({ LastMessage }) => LastMessage?.Text),
      ["about Amy", "psst"],
    );
  });

  test("a limited post whose readers are not tagged is none, nor is a public one", async () => {
    await befriend(ann, mas.handle);
    await kith().settle();
    await deliver(mas, mas.note({ to: [uriOf(ann)], content: "<p>quiet</p>" }));
    await deliver(mas, mas.note({ content: "<p>loud</p>" }));
    assert.deepEqual(await list(ann), []);
    const posts = await ann.get<PostRecord[]>("/posts");
    assert.deepEqual(posts.map(({ Text }) => Text).sort(), ["loud", "quiet"]);
  });

  test("neither a blocked person nor somebody who is not named writes in it", async () => {
    await deliver(mas, direct([uriOf(ann)]));
    const [talk = assert.fail()] = await list(ann);
    const { uri } =
      (await kith().server.features.posts.find({ id: talk.ID })) ??
      assert.fail();
    await deliver(mo, mo.note({ inReplyTo: uri, to: [uriOf(ann)] }));
    assert.equal((await textsOf(ann, talk)).length, 1);
    await ann.post(`/people/${(await seen(ann, mas.handle)).ID}/block`);
    await deliver(mas, direct([uriOf(ann)]));
    await deliver(mas, direct([uriOf(ann)], { inReplyTo: uri }));
    assert.deepEqual(await list(ann), []);
    assert.equal(
      (await ann.get<{ Unread: number }>("/conversations/unread")).Unread,
      0,
    );
  });

  test("a message that is deleted is deleted elsewhere, too", async () => {
    const talk = await startAcross();
    const said = await say(ann, talk, "Oops");
    await kith().settle();
    forgetSent();
    await ann.delete(`/comments/${said.ID}`);
    await kith().settle();
    const [gone, ...more] = remote.ofType("Delete");
    assert.equal(more.length, 0);
    assert.ok(gone);
    // It cannot be expressed there.
    assert.deepEqual(pod.posted, []);
  });

  test("a conversation from a pod stays one of diaspora*, also where the others have two protocols", async () => {
    await befriend(ann, dan.handle);
    await kith().settle();
    const guid = newGuid();
    const first: Message = {
      type: "message",
      author: dan.handle,
      guid: newGuid(),
      text: "Hello",
      conversationGuid: guid,
    };
    const conversation: Conversation = {
      type: "conversation",
      author: dan.handle,
      guid,
      subject: "Pods",
      participants: [dan.handle, ann.handle].join(";"),
      messages: [first],
    };
    await dan.whisper(kith(), conversation, ann);
    const [talk = assert.fail()] = await list(ann);
    forgetSent();
    await say(ann, talk, "Hello Dan");
    await kith().settle();
    assert.deepEqual(
      (await pod.ofType("message")).map(({ entity }) => entity.text),
      ["Hello Dan"],
    );
  });
});
