import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Conversation, Message } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  commentBy,
  commentOf,
  statusMessage,
} from "./entities.fixture.ts";
import { FIND_PARTICIPANTS } from "./fetch/find-participants.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { MAX_PARTICIPANTS } from "../../features/conversations/index.ts";
import { MAX_MESSAGES } from "./receive/receive-conversation.ts";

const NOT_A_CONTACT = "ignored: not by a contact of the recipient";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let anna: Person;
  let amy: Person;
  let bob: RemotePersonWithKey;
  let zoe: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  let talk: Conversation;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    anna = await home.signUp("anna");
    amy = await home.signUp("amy");
    bob = await home.remotePerson("bob");
    zoe = await home.remotePerson("zoe");
    eve = await home.remotePerson("eve");
    await befriend(alice, bob);
    await befriend(alice, zoe);
    await befriend(anna, bob);
  });
  after(() => home.close());
  beforeEach(() => {
    talk = conversation(bob, [alice, zoe]);
  });

  async function befriend(
    one: Person,
    { person }: RemotePersonWithKey,
  ): Promise<void> {
    const { aspects } = home.features;
    const userId = one.userId ?? assert.fail();
    const { id } = await aspects.create(userId, newGuid());
    await aspects.addPerson(
      { ...one, userId, personId: one.id },
      id,
      person.id,
    );
  }

  function conversation(
    { handle: author }: RemotePersonWithKey,
    others: readonly { readonly handle: string }[],
    guid = newGuid(),
  ): Conversation {
    const handles = [author, ...others.map(({ handle }) => handle)];
    return {
      type: "conversation",
      author,
      guid,
      subject: "Us\n#three",
      createdAt: "2020-02-03T04:05:06Z",
      participants: handles.join(";"),
      messages: [messageBy({ handle: author }, guid, "Shall we?")],
    };
  }

  function messageBy(
    { handle: author }: Pick<RemotePersonWithKey, "handle">,
    conversationGuid: string,
    text = "Yes",
  ): Message {
    const createdAt = "2020-02-03T04:05:07Z";
    const guid = newGuid();
    return { type: "message", author, guid, text, createdAt, conversationGuid };
  }

  const receive = (
    entity: Parameters<HomeServer["receivePrivately"]>[0],
    sender: RemotePersonWithKey,
    to: Person,
  ) => home.receivePrivately(entity, sender, to);
  const postOf = async (guid: string) =>
    (await home.features.posts.find({ guid })) ?? assert.fail("not here");
  const viewer = ({ id, userId }: Person) => ({ personId: id, userId });
  const seenBy = (guid: string, person: Person) =>
    home.features.posts.findVisible({ guid }, viewer(person));
  const commentsOn = async (guid: string) => {
    const { id } = await postOf(guid);
    const page = { offset: 0, limit: 20 };
    return home.features.comments.list(id, page, viewer(alice));
  };

  test("a conversation is a limited post by whoever began it, for the one to whom it came", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    const post = await postOf(talk.guid);
    assert.equal(post.personId, bob.person.id);
    assert.equal(post.public, false);
    assert.equal(post.warning, "Us #three");
    assert.equal(post.text, "Shall we?");
    assert.equal(post.createdAt, "2020-02-03T04:05:06.000Z");
    assert.ok(await seenBy(talk.guid, alice));
    assert.equal(await seenBy(talk.guid, anna), undefined);
    const { posts, texts } = home.features;
    assert.equal(await posts.findVisible({ id: post.id }, null), undefined);
    const place = { postId: post.id, commentId: null };
    assert.deepEqual(await texts.listMentioned(place), [alice.id]);
    assertDone(await receive(talk, bob, alice), "known");
  });

  test("everyone here gets it separately, and reads what the others get to read", async () => {
    talk = conversation(bob, [alice, anna, zoe]);
    assertDone(await receive(talk, bob, alice), "stored");
    assert.equal(await seenBy(talk.guid, anna), undefined);
    assertDone(await receive(talk, bob, anna), "known");
    assert.ok(await seenBy(talk.guid, anna));
    const { id: postId } = await postOf(talk.guid);
    const { comments, texts } = home.features;
    const mentioned = await texts.listMentioned({ postId, commentId: null });
    assert.deepEqual(new Set(mentioned), new Set([alice.id, anna.id]));
    const author = { personId: anna.id, userId: anna.userId ?? assert.fail() };
    const on = { guid: talk.guid };
    await comments.create({ author, on, text: "I am in" });
    const [said, ...more] = await commentsOn(talk.guid);
    assert.equal(said?.text, "I am in");
    assert.equal(more.length, 0);
  });

  test("further messages that come with it are kept as well", async () => {
    talk.messages.push(messageBy(bob, talk.guid, "One more"));
    assertDone(await receive(talk, bob, alice), "stored");
    const [one, ...others] = await commentsOn(talk.guid);
    assert.equal(one?.text, "One more");
    assert.equal(others.length, 0);
  });

  test("one with more messages than anybody begins one with is refused", async () => {
    const more = Array.from({ length: MAX_MESSAGES }, () =>
      messageBy(bob, talk.guid, "More"),
    );
    assertRefused(
      await receive(
        { ...talk, messages: [...talk.messages, ...more] },
        bob,
        alice,
      ),
    );
    assert.equal(
      await home.features.posts.find({ guid: talk.guid }),
      undefined,
    );
  });

  test("only those who are among the contacts begin one", async () => {
    const strange = conversation(eve, [alice]);
    assertDone(await receive(strange, eve, alice), NOT_A_CONTACT);
    assert.equal(
      await home.features.posts.find({ guid: strange.guid }),
      undefined,
    );
    // Nor is a contact of another local person admitted.
    talk = conversation(bob, [alice, amy]);
    assertDone(await receive(talk, bob, alice), "stored");
    assertDone(await receive(talk, bob, amy), NOT_A_CONTACT);
    assert.equal(await seenBy(talk.guid, amy), undefined);
  });

  test("it comes encrypted, from its author, to somebody who takes part", async () => {
    assertRefused(await receive(talk, eve, alice));
    assertRefused(await receive(talk, bob, anna));
    assertRefused(await home.receivePublicly(talk, bob));
    assertRefused(await home.receivePublicly(messageBy(bob, talk.guid), bob));
    assertRefused(await receive(messageBy(bob, talk.guid), eve, alice));
    const answer = { type: "poll_answer", guid: newGuid(), answer: "Yes" };
    assertRefused(await home.receivePublicly(answer as never, bob));
    assert.equal(
      await home.features.posts.find({ guid: talk.guid }),
      undefined,
    );
  });

  test("it takes the place of nobody's post, nor of one of its author's", async () => {
    const posts = [statusMessage(zoe), statusMessage(bob)];
    await home.receivePublicly(posts[0] ?? assert.fail(), zoe);
    await home.receivePublicly(posts[1] ?? assert.fail(), bob);
    for (const { guid, text } of posts) {
      const taking = conversation(bob, [alice], guid);
      assertRefused(await receive(taking, bob, alice));
      const post = await postOf(guid);
      assert.equal(post.text, text);
      assert.equal(post.participants, null);
    }
    // Nor is one taken over by another person.
    assertDone(await receive(talk, bob, alice), "stored");
    assertRefused(
      await receive(conversation(zoe, [alice], talk.guid), zoe, alice),
    );
    assertRefused(
      await receive({ ...statusMessage(zoe), guid: talk.guid }, zoe, alice),
    );
  });

  test("its author gives it to nobody who was not named before", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    const wider = conversation(bob, [alice, anna, zoe], talk.guid);
    assertRefused(await receive(wider, bob, anna));
    const post = { ...statusMessage(bob), guid: talk.guid, public: false };
    assertRefused(await receive(post, bob, anna));
    assertRefused(await home.receivePublicly({ ...post, public: true }, bob));
    assert.equal(await seenBy(talk.guid, anna), undefined);
  });

  test("a conversation of thousands is refused before anybody is looked up", async () => {
    const crowd = Array.from({ length: 2_000 }, (_, at) => ({
      handle: `one${at}@crowd.example`,
    }));
    const jobs = () =>
      home.deps.db.read
        .selectFrom("jobs")
        .select("id")
        .where("kind", "=", FIND_PARTICIPANTS.name)
        .execute();
    const before = (await jobs()).length;
    const big = conversation(bob, [alice, ...crowd]);
    assertRefused(await receive(big, bob, alice));
    assert.equal(await home.features.posts.find({ guid: big.guid }), undefined);
    assert.equal((await jobs()).length, before);
    // The allowed number of participants may wait for unknown ones to be discovered.
    const few = crowd.slice(0, MAX_PARTICIPANTS - 2);
    const small = conversation(bob, [alice, ...few]);
    assertDone(await receive(small, bob, alice), "stored");
    assert.equal((await jobs()).length, before + 1);
    const more = conversation(bob, [
      alice,
      ...crowd.slice(0, MAX_PARTICIPANTS - 1),
    ]);
    assertRefused(await receive(more, bob, alice));
  });

  test("a message is a comment on it, once, by one who takes part", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    const message = messageBy(zoe, talk.guid);
    assertDone(await receive(message, zoe, alice), "stored");
    assertDone(await receive(message, zoe, alice), "known");
    const createdAt = "2020-02-03T04:05:08Z";
    const own = { ...messageBy(bob, talk.guid, "Good"), createdAt };
    assertDone(await receive(own, bob, alice), "stored");
    const kept = await commentsOn(talk.guid);
    assert.deepEqual(
      kept.map(({ personId, text }) => [personId, text]),
      [
        [zoe.person.id, "Yes"],
        [bob.person.id, "Good"],
      ],
    );
    const { texts } = home.features;
    const [{ id: commentId, postId } = assert.fail()] = kept;
    const mentioned = await texts.listMentioned({ postId, commentId });
    assert.deepEqual(mentioned, [alice.id]);
  });

  test("a message waits for its conversation", async () => {
    const message = messageBy(zoe, talk.guid);
    assert.equal((await receive(message, zoe, alice)).kind, "wait");
    assertDone(await receive(talk, bob, alice), "stored");
    assertDone(await receive(message, zoe, alice), "stored");
    // A person without the conversation receives no message in it.
    assert.equal(
      (await receive(messageBy(zoe, talk.guid), zoe, anna)).kind,
      "wait",
    );
    assert.equal((await commentsOn(talk.guid)).length, 1);
  });

  test("one who could not be found when it began still speaks in it", async () => {
    const late = "late@late.example";
    talk = conversation(bob, [alice, { handle: late }]);
    assertDone(await receive(talk, bob, alice), "stored");
    const found = await home.remotePerson("late");
    assert.equal(found.handle, late);
    assertDone(
      await receive(messageBy(found, talk.guid), found, alice),
      "stored",
    );
    const { id } = await postOf(talk.guid);
    const readers = await home.features.posts.listRecipientIds(id);
    assert.ok(readers.includes(found.person.id));
  });

  test("nobody else speaks in it, and nothing but messages", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    assertRefused(await receive(messageBy(eve, talk.guid), eve, alice));
    assertRefused(await receive(commentOf(bob, talk.guid), bob, alice));
    assertRefused(await receive(await commentBy(eve, talk.guid), bob, alice));
    const like = {
      type: "like",
      author: bob.handle,
      guid: newGuid(),
      parentGuid: talk.guid,
      parentType: "Post",
      positive: true,
    } as const;
    assertRefused(await receive(like, bob, alice));
    assert.deepEqual(await commentsOn(talk.guid), []);
  });

  test("a message does not take the place of a comment, nor go with a post", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const comment = commentOf(bob, post.guid);
    assertDone(await home.receivePublicly(comment, bob), "stored");
    const { guid } = comment;
    assertRefused(
      await receive({ ...messageBy(zoe, talk.guid), guid }, zoe, alice),
    );
    assertRefused(
      await receive({ ...messageBy(bob, talk.guid), guid }, bob, alice),
    );
    assertRefused(await receive(messageBy(bob, post.guid), bob, alice));
    assert.deepEqual(await commentsOn(talk.guid), []);
  });

  test("a retracted conversation does not come again", async () => {
    assertDone(await receive(talk, bob, alice), "stored");
    const message = messageBy(zoe, talk.guid);
    assertDone(await receive(message, zoe, alice), "stored");
    const takenBack = (
      { handle: author }: RemotePersonWithKey,
      targetType: string,
      targetGuid: string,
    ) => ({ type: "retraction", author, targetType, targetGuid }) as const;
    const end = takenBack(zoe, "Comment", message.guid);
    assertRefused(await receive(end, eve, alice));
    assertDone(await receive(end, zoe, alice), "retracted");
    assertRefused(await receive(message, zoe, alice));
    assert.deepEqual(await commentsOn(talk.guid), []);
    assertDone(
      await receive(takenBack(bob, "Post", talk.guid), bob, alice),
      "retracted",
    );
    assertRefused(await receive(talk, bob, alice));
  });
});
