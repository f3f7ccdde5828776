import assert from "node:assert/strict";
import { test } from "node:test";
import {
  signRelayable,
  type CalendarEvent,
  type Comment,
  type StatusMessage,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  commentOf,
  publish,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { renderFor } from "./rendered.fixture.ts";

const FIRST = "2024-01-01T00:00:00Z";
const SECOND = "2024-01-02T00:00:00Z";
const THIRD = "2024-01-03T00:00:00Z";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const find = async ({ guid }: { guid: string }) =>
    (await home.features.posts.find({ guid })) ?? assert.fail();

  async function tagsOf(post: StatusMessage): Promise<string[]> {
    const { id } = await find(post);
    const rows = await home.deps.db.read
      .selectFrom("post_tags")
      .select("tag")
      .where("post_id", "=", id)
      .orderBy("tag")
      .execute();
    return rows.map(({ tag }) => tag);
  }

  async function mentionedIn(post: StatusMessage, comment?: Comment) {
    const { comments, texts } = home.features;
    const found = comment && (await comments.find({ guid: comment.guid }));
    const { id: postId } = await find(post);
    return texts.listMentioned({ postId, commentId: found?.id ?? null });
  }

  test("a newer text takes the place of the older one, with what is in it", async () => {
    const post = { ...statusMessage(bob), text: `#one @{${alice.handle}}` };
    await home.receivePublicly(post, bob);
    assert.deepEqual(await mentionedIn(post), [alice.id]);
    const location = { type: "location" as const, lat: "1", lng: "2" };
    const edit = { ...post, text: "#two #nsfw", editedAt: SECOND, location };
    assertDone(await home.receivePublicly(edit, bob), "edited");
    const changed = await find(post);
    assert.equal(changed.text, "#two #nsfw");
    assert.equal(changed.nsfw, true);
    assert.equal(changed.updatedAt, "2024-01-02T00:00:00.000Z");
    assert.equal(changed.location?.lat, "1");
    assert.deepEqual(await tagsOf(post), ["nsfw", "two"]);
    assert.deepEqual(await mentionedIn(post), []);
    for (const editedAt of [FIRST, SECOND, undefined]) {
      const old = { ...post, ...(editedAt && { editedAt }), text: "old" };
      assertDone(await home.receivePublicly(old, bob), "known");
    }
    assert.deepEqual(await find(post), changed);
    const tame = { ...post, text: "tame", editedAt: THIRD };
    assertDone(await home.receivePublicly(tame, bob), "edited");
    const last = await find(post);
    assert.deepEqual([last.nsfw, last.location], [false, null]);
  });

  test("nobody else changes a post, and nothing makes a limited one public", async () => {
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const forged = { ...post, text: "eve's", editedAt: SECOND };
    assertRefused(await home.receivePublicly(forged, eve));
    const taken = { ...forged, author: eve.handle };
    assertRefused(await home.receivePublicly(taken, eve));
    assert.equal((await find(post)).text, "Hello");
    const own = { ...statusMessage(bob), public: false };
    await home.receivePrivately(own, bob, alice);
    const shown = { ...own, public: true, text: "x", editedAt: SECOND };
    assertDone(await home.receivePublicly(shown, bob), "known");
    const limited = await find(own);
    assert.deepEqual([limited.text, limited.public], ["Hello", false]);
    const limitedEdit = { ...own, text: "psst", editedAt: SECOND };
    assertDone(await home.receivePrivately(limitedEdit, bob, alice), "edited");
    assert.equal((await find(own)).text, "psst");
  });

  test("a text can be had with its first change, and not be emptied", async () => {
    const post = { ...statusMessage(bob), editedAt: SECOND };
    await home.receivePublicly(post, bob);
    const older = { ...post, text: "older", editedAt: FIRST };
    assertDone(await home.receivePublicly(older, bob), "known");
    const empty = { ...post, text: "  ", editedAt: THIRD };
    assertRefused(await home.receivePublicly(empty, bob));
    assert.equal((await find(post)).text, "Hello");
  });

  test("the question of a poll stays, and pictures are described anew", async () => {
    const post = statusMessage(bob);
    const poll = (question: string) => ({
      type: "poll" as const,
      guid: `${post.guid}poll`,
      question,
      pollAnswers: ["a", "b"].map((answer, n) => ({
        type: "poll_answer" as const,
        guid: `${post.guid}answer${n}`,
        answer,
      })),
    });
    const photo = (text: string) => ({
      type: "photo" as const,
      guid: `${post.guid}photo`,
      author: bob.handle,
      public: true,
      remotePhotoPath: "https://pictures.example/",
      remotePhotoName: "1.jpg",
      text,
    });
    const asked = { ...post, poll: poll("Tea?"), photos: [photo("a cat")] };
    assertDone(await home.receivePublicly(asked, bob), "stored");
    const changed = { poll: poll("War?"), photos: [photo("a dog")] };
    const edit = { ...post, ...changed, text: "New", editedAt: SECOND };
    assertDone(await home.receivePublicly(edit, bob), "edited");
    const { id: postId } = await find(post);
    const { polls, photos } = home.features;
    assert.equal((await polls.find({ postId }))?.question, "Tea?");
    const texts = (await photos.listOf([postId])).get(postId);
    assert.deepEqual(
      texts?.map(({ text }) => text),
      ["a dog"],
    );
  });

  const event: CalendarEvent = {
    type: "event",
    author: "",
    guid: "",
    summary: "Feast",
    start: "2030-01-01T10:00:00Z",
    allDay: false,
  };

  test("an event is changed by its author alone, forwards in time, and that is a fact", async () => {
    const guid = newGuid();
    const feast = { ...event, guid, author: bob.handle };
    const post = { ...statusMessage(bob), event: feast };
    assertDone(await home.receivePublicly(post, bob), "stored");
    const say = (changes: Partial<CalendarEvent>, more: object = {}) =>
      home.receivePublicly(
        { ...post, ...more, event: { ...feast, ...changes } },
        bob,
      );
    const { events } = home.features;
    const current = async () => {
      const found = (await events.find({ guid })) ?? assert.fail();
      return [found.summary, found.sequence];
    };
    await say({ summary: "Undated" });
    assert.deepEqual(await current(), ["Feast", 0]);
    await say(
      { summary: "Later", start: "2030-01-02T10:00:00Z" },
      {
        editedAt: SECOND,
      },
    );
    assert.deepEqual(await current(), ["Later", 1]);
    await say({ summary: "Old", editedAt: FIRST });
    assert.deepEqual(await current(), ["Later", 1]);
    // Times on the wire are whole seconds, and a person may edit twice within one second.
    await say({ summary: "Same second", editedAt: SECOND });
    assert.deepEqual(await current(), ["Same second", 2]);
    await say({ summary: "Latest", editedAt: THIRD });
    assert.deepEqual(await current(), ["Latest", 3]);
    const theft = { ...feast, author: eve.handle, editedAt: THIRD };
    const thief = { ...statusMessage(eve), event: theft };
    assertRefused(await home.receivePublicly(thief, eve));
    const { id } = (await events.find({ guid })) ?? assert.fail();
    const jobs = await home.deps.db.read
      .selectFrom("jobs")
      .select("payload")
      .where("payload", "like", `%"event.changed"%`)
      .execute();
    const recorded = jobs.filter(
      ({ payload }) =>
        (JSON.parse(payload) as { eventId?: number }).eventId === id,
    );
    // The job for local notifications and the one for other servers, for each change.
    assert.equal(recorded.length, 6);
  });

  async function signed(
    by: RemotePersonWithKey,
    comment: Comment,
    changes: object,
  ) {
    const { signed: _, ...bare } = { ...comment, ...changes };
    return signRelayable<Comment>(bare, by.privateKey);
  }

  test("a changed comment is checked like a new one, and passed on as it was signed", async () => {
    const post = await publish(home, alice);
    const bare = { ...commentOf(bob, post.guid), createdAt: FIRST };
    const first = await signed(bob, bare, {});
    assertDone(await home.receivePublicly(first, bob), "stored");
    const newer = { text: "New", editedAt: SECOND };
    const edit = await signed(bob, bare, newer);
    const forged = await signed(eve, bare, newer);
    assertRefused(await home.receivePublicly(forged, bob));
    assertRefused(await home.receivePublicly(edit, eve));
    const theft = await signed(eve, { ...bare, author: eve.handle }, newer);
    assertRefused(await home.receivePublicly(theft, eve));
    const { comments } = home.features;
    const find = async () =>
      (await comments.find({ guid: bare.guid })) ?? assert.fail();
    assert.equal((await find()).text, "A comment");
    assertDone(await home.receivePublicly(edit, bob), "changed");
    for (const old of [
      first,
      edit,
      await signed(bob, bare, { editedAt: FIRST }),
    ])
      assertDone(await home.receivePublicly(old, bob), "known");
    const { id: commentId, text } = await find();
    assert.equal(text, "New");
    const fact = { type: "comment.changed", commentId, by: bob.person.id };
    const sent = await renderFor(
      home,
      { ...fact, type: "comment.changed" },
      alice,
      [eve],
    );
    assert.deepEqual(sent, [edit]);
  });

  test("a comment does not wander to another post, and names others with its text", async () => {
    const one = statusMessage(bob);
    const two = statusMessage(bob);
    await home.receivePublicly(one, bob);
    await home.receivePublicly(two, bob);
    const bare = { ...commentOf(bob, one.guid), createdAt: FIRST };
    await home.receivePublicly(bare, bob);
    const moved = { ...bare, parentGuid: two.guid, editedAt: SECOND };
    assertDone(await home.receivePublicly(moved, bob), "known");
    const text = `@{${alice.handle}}`;
    const naming = { ...bare, text, editedAt: SECOND };
    assertDone(await home.receivePublicly(naming, bob), "changed");
    assert.deepEqual(await mentionedIn(one, bare), [alice.id]);
    const plain = { ...bare, text: "plain", editedAt: THIRD };
    assertDone(await home.receivePublicly(plain, bob), "changed");
    assert.deepEqual(await mentionedIn(one, bare), []);
  });
});
