import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  ask,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
import { aspectOf } from "../support/scenes/planning.ts";
import { readPeerVector } from "../support/remote/peer-vectors.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { PollRecord, PostRecord } from "../support/server/wire.ts";
import { MAX_ANSWERS } from "../../src/features/polls/index.ts";

const MINUTE_MS = 60_000;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`poller${++names}`);
  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = stranger();
    await sendFollow(kith(), by, other);
    return other;
  };
  const asks = async (by: TestPerson, more: object = {}) => {
    const json = {
      post: "Tell me",
      poll_question: "Tea or coffee?",
      poll_answer: ["Tea", "Coffee"],
      ...more,
    };
    const answer = await by.call("POST", "/posts", { json });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as PostRecord;
  };
  const pollOf = async (by: TestPerson, guid: string): Promise<PollRecord> =>
    (await by.get<PostRecord>(`/posts/${guid}`)).Poll ?? assert.fail();
  const counts = ({ Answers }: PollRecord) =>
    Answers.map(({ Text, Votes }) => `${Text} ${Votes}`);
  const optionsIn = (object: JsonObject, name = "oneOf") =>
    (object[name] as { name: string; replies: { totalItems: number } }[]).map(
      (option) => `${option.name} ${option.replies.totalItems}`,
    );
  const sentTo = (actor: RemoteActor, type: string) =>
    remote.ofType(type).filter(({ activity, path }) => {
      const { to } = activity;
      return (
        path.startsWith(new URL(actor.id).pathname) ||
        (Array.isArray(to) && to.includes(actor.id))
      );
    });
  /** The local form of a remote Question. */
  const received = async (by: TestPerson, text: string) => {
    const posts = await by.get<PostRecord[]>("/posts");
    return posts.find(({ Text }) => Text === text) ?? assert.fail(text);
  };

  test("a poll goes out as a Question, and is served as one", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const ends = new Date(kith().clock.now().getTime() + HOUR_MS);
    const { Guid } = await asks(ann, { poll_ends_at: ends.toISOString() });
    await kith().settle();
    const [create] = sentTo(eve, "Create").filter(
      ({ activity }) =>
        (activity["object"] as JsonObject)["id"] === objectOf(kith(), Guid),
    );
    const sent = create?.activity["object"] as JsonObject;
    assert.equal(sent["type"], "Question");
    assert.deepEqual(optionsIn(sent), ["Tea 0", "Coffee 0"]);
    assert.equal(sent["votersCount"], 0);
    assert.equal(sent["endTime"], `${ends.toISOString().slice(0, 19)}Z`);
    assert.equal("closed" in sent, false);
    assert.match(textIn(sent["content"]), /Tell me.*<strong>Tea or coffee\?/s);
    const { "@context": context, ...served } = await read(
      objectOf(kith(), Guid),
    );
    assert.ok(context);
    assert.deepEqual(served, sent);
    const outbox = await read(`${actorOf(kith(), ann.username)}/outbox?page=1`);
    const items = outbox["orderedItems"] as JsonObject[];
    assert.deepEqual((items[0]?.["object"] as JsonObject)["type"], "Question");
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    const over = sentTo(eve, "Update").at(-1)?.activity["object"] as JsonObject;
    assert.equal(over["id"], objectOf(kith(), Guid));
    assert.equal(over["closed"], sent["endTime"]);
  });

  test("remote votes count once, are not comments, and their counts are sent periodically", async () => {
    const ann = await kith().person();
    const [carol, dave] = [await followed(ann), stranger()];
    const { Guid } = await asks(ann);
    await kith().settle();
    // Counts are sent at certain times, none of which may come before all have voted.
    kith().clock.stopAt(kith().clock.now());
    const alicePoll = objectOf(kith(), Guid);
    const values = { alicePoll, alice: actorOf(kith(), ann.username) };
    const before = sentTo(carol, "Update").length;
    const vote = await readPeerVector(
      "mastodon-poll-vote",
      remote,
      ["carol", carol],
      values,
    );
    await carol.deliver(kith(), vote);
    await carol.deliver(kith(), vote);
    assert.deepEqual(counts(await pollOf(ann, Guid)), ["Tea 1", "Coffee 0"]);
    const again = carol.activity("Create", {
      object: carol.note({
        name: "Coffee",
        content: undefined,
        inReplyTo: alicePoll,
        to: [values.alice],
      } as unknown as JsonObject),
    });
    await carol.deliver(kith(), again);
    // snac's form of an empty text.
    const broken = carol.activity("Create", {
      object: carol.note({
        name: "Coffee",
        content: "<br>",
        inReplyTo: alicePoll,
      }),
    });
    await carol.deliver(kith(), broken);
    const nonsense = carol.activity("Create", {
      object: carol.note({ name: "Juice", content: "", inReplyTo: alicePoll }),
    });
    await carol.deliver(kith(), nonsense);
    const both = await readPeerVector(
      "gotosocial-poll-vote-two-choices",
      remote,
      ["dave", dave],
      values,
    );
    await dave.deliver(kith(), both);
    const poll = await pollOf(ann, Guid);
    assert.deepEqual(counts(poll), ["Tea 2", "Coffee 0"]);
    assert.equal(poll.VotersCount, 2);
    assert.deepEqual(await ann.get(`/posts/${Guid}/comments`), []);
    assert.equal(sentTo(carol, "Update").length, before);
    kith().clock.advance(4 * MINUTE_MS);
    await kith().settle();
    kith().clock.goOn();
    const updates = sentTo(carol, "Update").slice(before);
    assert.equal(updates.length, 1);
    const updated = updates[0]?.activity["object"] as JsonObject;
    assert.deepEqual(optionsIn(updated), ["Tea 2", "Coffee 0"]);
    assert.equal(updated["votersCount"], 2);
    // It would pass for an edit.
    assert.equal("updated" in updated, false);
    const id = textIn(updates[0]?.activity["id"]);
    assert.equal((await ask(id)).status, 200);
  });

  test("of several answers each counts, and each is sent", async () => {
    const ann = await kith().person();
    const dave = await followed(ann);
    const { Guid } = await asks(ann, { poll_multiple: true });
    await kith().settle();
    const both = await readPeerVector(
      "gotosocial-poll-vote-two-choices",
      remote,
      ["dave", dave],
      {
        alicePoll: objectOf(kith(), Guid),
        alice: actorOf(kith(), ann.username),
      },
    );
    await dave.deliver(kith(), both);
    const poll = await pollOf(ann, Guid);
    assert.deepEqual(counts(poll), ["Tea 1", "Coffee 1"]);
    assert.equal(poll.VotersCount, 1);
    const served = await read(objectOf(kith(), Guid));
    assert.deepEqual(optionsIn(served, "anyOf"), ["Tea 1", "Coffee 1"]);
    assert.equal(served["votersCount"], 1);
  });

  test("no one votes without seeing the poll, or after its end", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = await followed(bob);
    const ends = new Date(kith().clock.now().getTime() + HOUR_MS);
    const hidden = await asks(ann, { aspectID: await aspectOf(ann) });
    assert.equal(hidden.Public, false);
    const open = await asks(ann, { poll_ends_at: ends.toISOString() });
    const voteIn = (guid: string) =>
      eve.activity("Create", {
        object: {
          id: eve.newId("votes"),
          type: "Note",
          name: "Tea",
          attributedTo: eve.id,
          inReplyTo: objectOf(kith(), guid),
          to: [actorOf(kith(), ann.username)],
        },
      });
    await eve.deliver(kith(), voteIn(hidden.Guid));
    kith().clock.advance(2 * HOUR_MS);
    await eve.deliver(kith(), voteIn(open.Guid));
    for (const { Guid } of [hidden, open]) {
      assert.deepEqual(counts(await pollOf(ann, Guid)), ["Tea 0", "Coffee 0"]);
      assert.deepEqual(await ann.get(`/posts/${Guid}/comments`), []);
    }
  });

  test("of more votes at once than a poll has answers, the others are not looked up", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = await followed(bob);
    const open = await asks(ann, {});
    const vote = (name: string) => ({
      id: eve.newId("votes"),
      type: "Note",
      name,
      attributedTo: eve.id,
      inReplyTo: objectOf(kith(), open.Guid),
      to: [actorOf(kith(), ann.username)],
    });
    const blank = Array.from({ length: MAX_ANSWERS }, () => vote("Water"));
    const object = [...blank, vote("Tea")];
    await eve.deliver(kith(), eve.activity("Create", { object }));
    assert.deepEqual(counts(await pollOf(ann, open.Guid)), [
      "Tea 0",
      "Coffee 0",
    ]);
  });

  test("a Question is a post with a poll, its counts are its server's, and a vote goes to its author alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const carol = await followed(ann);
    const create = await readPeerVector("mastodon-create-question", remote, [
      "carol",
      carol,
    ]);
    const endTime = new Date(kith().clock.now().getTime() + HOUR_MS);
    const object = create["object"] as JsonObject;
    object["endTime"] = endTime.toISOString();
    await carol.deliver(kith(), create);
    const post = await received(ann, "Which?");
    const poll = post.Poll ?? assert.fail();
    assert.deepEqual(counts(poll), ["red 2", "blue 1"]);
    assert.equal(poll.VotersCount, 3);
    assert.equal(poll.Multiple, false);
    assert.equal(poll.EndsAt, endTime.toISOString());
    const [red] = poll.Answers;
    await bob.post(`/posts/${post.Guid}/poll/votes`, {
      answer: red?.Guid ?? "",
    });
    await kith().settle();
    const mine = await pollOf(bob, post.Guid);
    assert.deepEqual(counts(mine), ["red 3", "blue 1"]);
    assert.equal(mine.VotersCount, 4);
    assert.deepEqual(mine.OwnVotes, [red?.Guid]);
    const [vote, ...others] = sentTo(carol, "Create");
    assert.deepEqual(others, []);
    const note = vote?.activity["object"] as JsonObject;
    const voter = actorOf(kith(), bob.username);
    const { id, ...said } = note;
    assert.deepEqual(said, {
      type: "Note",
      attributedTo: voter,
      to: [carol.id],
      cc: [],
      name: "red",
      inReplyTo: object["id"],
    });
    assert.deepEqual(vote?.activity["to"], [carol.id]);
    for (const uri of [textIn(id), textIn(vote?.activity["id"])]) {
      const forAuthor = await carol.get(kith(), uri);
      assert.equal(forAuthor.status, 200, uri);
      assert.equal((JSON.parse(forAuthor.text) as JsonObject)["id"], uri);
      assert.equal((await ask(uri)).status, 404, uri);
      assert.equal((await stranger().get(kith(), uri)).status, 404, uri);
    }

    const update = await readPeerVector("mastodon-update-poll-counts", remote, [
      "carol",
      carol,
    ]);
    (update["object"] as JsonObject)["endTime"] = endTime.toISOString();
    const forger = await followed(ann);
    const forged = forger.activity("Update", {
      object: update["object"] ?? null,
    });
    await forger.deliver(kith(), forged);
    assert.deepEqual(counts(await pollOf(ann, post.Guid)), ["red 3", "blue 1"]);
    await carol.deliver(kith(), update);
    const after = await ann.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual(counts(after.Poll ?? assert.fail()), ["red 5", "blue 4"]);
    assert.equal(after.Poll?.VotersCount, 9);
    assert.equal(after.UpdatedAt, post.UpdatedAt);
    assert.equal(after.Text, "Which?");
    kith().clock.advance(2 * HOUR_MS);
    const late = await ann.call("POST", `/posts/${post.Guid}/poll/votes`, {
      json: { answer: [red?.Guid] },
    });
    assert.equal(late.status, 400);
  });

  test("other options without an edit change nothing; with one they are another poll without votes", async () => {
    const ann = await kith().person();
    const carol = await followed(ann);
    const create = await readPeerVector("mastodon-create-question", remote, [
      "carol",
      carol,
    ]);
    const object = create["object"] as JsonObject;
    object["content"] = "<p>Whichever?</p>";
    object["endTime"] = null;
    await carol.deliver(kith(), create);
    const { Guid, Poll } = await received(ann, "Whichever?");
    await ann.post(`/posts/${Guid}/poll/votes`, {
      answer: Poll?.Answers[1]?.Guid ?? "",
    });
    const other = {
      ...object,
      oneOf: ["red", "green"].map((name) => ({
        type: "Note",
        name,
        replies: { type: "Collection", totalItems: 7 },
      })),
    };
    const update = (more: object) =>
      carol.activity("Update", { object: { ...other, ...more } });
    await carol.deliver(kith(), update({}));
    assert.deepEqual(counts(await pollOf(ann, Guid)), ["red 2", "blue 2"]);
    kith().clock.advance(MINUTE_MS);
    const updated = kith().clock.now().toISOString();
    await carol.deliver(kith(), update({ updated }));
    const poll = await pollOf(ann, Guid);
    assert.deepEqual(counts(poll), ["red 7", "green 7"]);
    assert.deepEqual(poll.OwnVotes, []);
  });

  test("an edit gives a post its poll, and another one takes it away", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const { posts, polls } = kith().server.features;
    const note = eve.note({ content: "Tea?" });
    const options = ["Yes", "No"].map((name) => ({
      ...{ type: "Note", name },
      replies: { type: "Collection", totalItems: 0 },
    }));
    const edit = async (members: JsonObject) => {
      kith().clock.advance(5_000);
      const updated = new Date(kith().clock.now()).toISOString();
      const object = { ...note, ...members, updated };
      const update = eve.activity("Update", { object, to: [PUBLIC] });
      await eve.deliver(kith(), update);
      const post = await posts.find({ uri: note["id"] as string });
      return post && polls.find({ postId: post.id });
    };
    const create = eve.activity("Create", { object: note, to: [PUBLIC] });
    await eve.deliver(kith(), create);
    const poll = await edit({ type: "Question", oneOf: options });
    assert.deepEqual(
      poll?.answers.map(({ text }) => text),
      ["Yes", "No"],
    );
    const { Guid } = await received(ann, "Tea?");
    const answers = { answer: poll?.answers[0]?.guid ?? "" };
    await ann.post(`/posts/${Guid}/poll/votes`, answers);
    assert.equal(await edit({}), undefined);
    assert.equal((await ann.get<PostRecord>(`/posts/${Guid}`)).Poll, null);
  });
});
