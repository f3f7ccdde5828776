import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  OWN_GUID,
  type PollRecord,
  type PostRecord,
} from "../support/server/wire.ts";

const ANSWERS = ["tea", "coffee", "water"];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const send = async <T>(by: TestPerson, path: string, json: unknown) => {
    const answer = await by.call("POST", path, { json });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as T;
  };
  const ask = (by: TestPerson, more: object = {}) =>
    send<PostRecord>(by, "/posts", {
      post: "tell me",
      poll_question: "What to drink?",
      poll_answer: ANSWERS,
      ...more,
    });
  const pollOf = ({ Poll }: PostRecord): PollRecord => Poll ?? assert.fail();
  const answerOf = (post: PostRecord, n: number) =>
    pollOf(post).Answers[n]?.Guid ?? assert.fail();
  const path = ({ Guid }: PostRecord) => `/posts/${Guid}/poll/votes`;
  const vote = (by: TestPerson, post: PostRecord, ...chosen: number[]) =>
    send<PostRecord>(by, path(post), {
      answer: chosen.map((n) => answerOf(post, n)),
    });
  const counts = (post: PostRecord) =>
    pollOf(post).Answers.map(({ Votes }) => Votes);

  test("a post has a poll, and shows its results", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ask(ann, { poll_question: "  What to\n drink? " });
    const poll = pollOf(post);
    assert.match(poll.Guid, OWN_GUID);
    assert.equal(poll.Question, "What to drink?");
    assert.deepEqual(
      poll.Answers.map(({ Text }) => Text),
      ANSWERS,
    );
    assert.deepEqual([poll.Multiple, poll.EndsAt], [false, null]);
    const voted = await vote(bob, post, 1);
    assert.deepEqual(counts(voted), [0, 1, 0]);
    assert.deepEqual(pollOf(voted).OwnVotes, [answerOf(post, 1)]);
    assert.deepEqual(counts(await vote(ann, post, 1)), [0, 2, 0]);
    const seen = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.deepEqual(counts(seen), [0, 2, 0]);
    const other = await kith().person();
    const unvoted = await other.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual(pollOf(unvoted).OwnVotes, []);
    const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
    assert.match(await page.text(), /<bdi>coffee<\/bdi>[^]*?2 votes/);
    const [listed] = await other.get<PostRecord[]>("/posts", { limit: 1 });
    assert.deepEqual(listed, unvoted);
  });

  test("a vote is final, and counts once", async () => {
    const [carl, dora] = [await kith().person(), await kith().person()];
    const post = await ask(carl);
    const votes = await Promise.all(
      Array.from({ length: 10 }, () => vote(dora, post, 0)),
    );
    for (const one of votes) assert.deepEqual(counts(one), [1, 0, 0]);
    const json = { answer: answerOf(post, 2) };
    await dora.badRequest("POST", path(post), { json });
    await kith().settle();
    assert.deepEqual(counts(await vote(dora, post, 0)), [1, 0, 0]);
    const torn = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        carl.call("POST", path(post), {
          form: { answer: answerOf(post, n % 3) },
        }),
      ),
    );
    assert.equal(torn.filter(({ status }) => status === 200).length, 4);
    const after = await carl.get<PostRecord>(`/posts/${post.Guid}`);
    assert.equal(pollOf(after).OwnVotes.length, 1);
    assert.equal(
      counts(after).reduce((a, b) => (a ?? 0) + (b ?? 0), 0),
      2,
    );
  });

  test("where several may be chosen, they are chosen at once", async () => {
    const emil = await kith().person();
    const single = await ask(emil);
    const two = { answer: [answerOf(single, 0), answerOf(single, 1)] };
    await emil.badRequest("POST", path(single), { json: two });
    const post = await ask(emil, { poll_multiple: true });
    assert.equal(pollOf(post).Multiple, true);
    assert.deepEqual(counts(await vote(emil, post, 2, 0, 2)), [1, 0, 1]);
    assert.deepEqual(counts(await vote(emil, post, 0, 2)), [1, 0, 1]);
    for (const answer of [[0], [0, 1, 2]].map((them) =>
      them.map((n) => answerOf(post, n)),
    ))
      await emil.badRequest("POST", path(post), { json: { answer } });
  });

  test("after its end a poll takes no votes", async () => {
    const fay = await kith().person();
    const end = new Date(kith().clock.now().getTime() + 60_000);
    const local = `${new Date(end.getTime() + 3_600_000).toISOString().slice(0, 19)}+01:00`;
    const post = await ask(fay, { poll_ends_at: local });
    assert.equal(pollOf(post).EndsAt, `${end.toISOString().slice(0, 19)}.000Z`);
    kith().clock.advance(50_000);
    await vote(fay, post, 0);
    kith().clock.advance(11_000);
    for (const n of [0, 1])
      await fay.badRequest("POST", path(post), {
        json: { answer: answerOf(post, n) },
      });
  });

  test("an end without an offset is meant in UTC", async () => {
    const eve = await kith().person();
    const post = await ask(eve, { poll_ends_at: "2999-01-01T12:30" });
    assert.equal(pollOf(post).EndsAt, "2999-01-01T12:30:00.000Z");
  });

  test("people who cannot see the post cannot vote; an unknown answer is not found", async () => {
    const [gus, member, stranger] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const post = await ask(gus, { aspectID: await aspectOf(gus, member) });
    const json = { answer: answerOf(post, 0) };
    await stranger.notFound("POST", path(post), { json });
    await stranger.notFound("POST", `/posts/${"0".repeat(32)}/poll/votes`, {
      json,
    });
    await vote(member, post, 0);
    const plain = await gus.post<PostRecord>("/posts", { post: "no poll" });
    assert.equal(plain.Poll, null);
    await gus.notFound("POST", path(plain), { json });
    const other = await ask(gus);
    await gus.notFound("POST", path(other), { json });
    await gus.notFound("POST", path(post), { json: { answer: "x" } });
    await gus.badRequest("POST", path(post), { json: { answer: [] } });
    await gus.badRequest("POST", path(post));
    await gus.delete(`/posts/${post.Guid}`);
    await member.notFound("POST", path(post), { json });
  });

  test("a reshare shows the poll of its root", async () => {
    const [hal, ida] = [await kith().person(), await kith().person()];
    const root = await ask(hal);
    const reshare = await ida.post<PostRecord>(`/posts/${root.Guid}/reshare`);
    assert.equal(reshare.Poll, null);
    await vote(ida, root, 2);
    const seen = await ida.get<PostRecord>(`/posts/${reshare.Guid}`);
    assert.deepEqual(seen.Root?.Poll?.OwnVotes, [answerOf(root, 2)]);
  });

  test("an invalid poll is refused, and no post is created", async () => {
    const jan = await kith().person();
    const many = Array.from({ length: 21 }, (_, n) => `a${n}`);
    const past = new Date(kith().clock.now().getTime() - 1).toISOString();
    const question = { poll_question: "why?" };
    const asked = { ...question, poll_answer: ["a", "b"] };
    for (const wrong of [
      question,
      { ...question, poll_answer: ["a"] },
      { ...question, poll_answer: many },
      { ...question, poll_answer: ["a", " "] },
      { ...question, poll_answer: ["a", "b", " a"] },
      { ...question, poll_answer: ["a", "x".repeat(256)] },
      { poll_question: "x".repeat(256), poll_answer: ["a", "b"] },
      { poll_answer: ["a", "b"] },
      { poll_question: " ", poll_answer: ["a", "b"] },
      { poll_multiple: true },
      { poll_ends_at: "2999-01-01T00:00:00Z" },
      { ...asked, poll_ends_at: past },
    ])
      await jan.badRequest("POST", "/posts", { json: { post: "x", ...wrong } });
    for (const poll_ends_at of [
      "tomorrow",
      "2999-02-30T00:00:00Z",
      "2999-01-01T25:00:00Z",
      "2999-01-01T00:00:00 UTC",
    ]) {
      const refused = { json: { post: "x", ...asked, poll_ends_at } };
      await jan.refused("POST", "/posts", refused, 400, "Invalid datetime");
    }
    assert.deepEqual(
      await jan.get(`/people/${jan.record.ID}/stream`),
      [],
      "nothing was posted",
    );
    const json = { post: " ", ...asked };
    await jan.blank("POST", "/posts", { json });
    const most = await ask(jan, { poll_answer: many.slice(1) });
    assert.equal(pollOf(most).Answers.length, 20);
    const none = { post: "x", poll_question: "", poll_ends_at: "" };
    assert.equal((await send<PostRecord>(jan, "/posts", none)).Poll, null);
  });
});
