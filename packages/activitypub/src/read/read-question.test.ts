import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../json/json-types.ts";
import { readActivity } from "./read-activity.ts";
import { readNote } from "./read-note.ts";
import { readQuestion, readVote, readVotesOf } from "./read-question.ts";
import { refused, sampleActivity, sampleObject } from "../../test/samples.ts";

const BOB = "https://peer.example/users/bob";
const option = (name: string, totalItems?: number): JsonObject => ({
  type: "Note",
  name,
  ...(totalItems !== undefined && { replies: { totalItems } }),
});
const questionJson = (over: JsonObject = {}): JsonObject => ({
  id: "https://peer.example/polls/1",
  type: "Question",
  attributedTo: BOB,
  content: "<p>Which?</p>",
  oneOf: [option("red", 2), option("blue", 1)],
  ...over,
});

describe("readQuestion", () => {
  test("Mastodon: options, counts and the end", () => {
    const poll = readQuestion(sampleObject("mastodon-create-question"));
    assert.equal(poll.multiple, false);
    assert.deepEqual(poll.options, [
      { name: "red", votes: 2 },
      { name: "blue", votes: 1 },
    ]);
    assert.deepEqual(
      [poll.content, poll.endTime, poll.closed, poll.votersCount],
      ["<p>Which?</p>", "2026-06-20T10:00:00.000Z", false, 3],
    );
  });

  test("Mastodon: newer counts arrive in an Update", () => {
    const poll = readQuestion(sampleObject("mastodon-update-poll-counts"));
    assert.deepEqual(
      poll.options.map(({ votes }) => votes),
      [5, 4],
    );
    assert.equal(poll.votersCount, 9);
    assert.equal(poll.updated, undefined);
  });

  test("Misskey counts in its own member, Pleroma lists the voters", () => {
    const { oneOf: _, ...rest } = questionJson();
    const poll = readQuestion({
      ...rest,
      anyOf: [{ ...option("a"), _misskey_votes: 4 }, option("b")],
      voters: [BOB, "https://peer.example/users/ann"],
    });
    assert.equal(poll.multiple, true);
    assert.deepEqual(
      poll.options.map(({ votes }) => votes),
      [4, null],
    );
    assert.equal(poll.votersCount, 2);
  });

  test("closed may be a time, true, or the closing object", () => {
    const closed = (value: JsonObject[string]) => {
      const poll = readQuestion(questionJson({ closed: value }));
      return [poll.closed, poll.closedAt];
    };
    const time = "2026-06-20T10:00:00Z";
    assert.deepEqual(closed(time), [true, "2026-06-20T10:00:00.000Z"]);
    assert.deepEqual(closed(true), [true, undefined]);
    assert.deepEqual(closed({ type: "Note" }), [true, undefined]);
    for (const open of [null, false, "", "soon"]) {
      assert.deepEqual(closed(open), [false, undefined], String(open));
    }
  });

  test("options are unique, and there are at most 500", () => {
    const many = Array.from({ length: 600 }, (_, at) => option(`o${at}`));
    const poll = readQuestion(
      questionJson({
        oneOf: [option("o0", -3), null, "odd", option(""), ...many],
      }),
    );
    assert.ok(poll.options.length <= 500);
    assert.deepEqual(poll.options[0], { name: "o0", votes: 0 });
    assert.equal(new Set(poll.options.map(({ name }) => name)).size, 497);
    const single = readQuestion(questionJson({ oneOf: option("only") }));
    assert.deepEqual(single.options, [{ name: "only", votes: null }]);
  });

  test("refuses non-polls and ambiguous polls", () => {
    for (const over of [
      { type: "Note" },
      { oneOf: [] },
      { oneOf: null },
      { anyOf: [option("x")] },
    ]) {
      assert.throws(
        () => readQuestion(questionJson(over)),
        refused("not_an_object"),
      );
    }
  });
});

describe("votes", () => {
  test("Mastodon: one Note for one option", () => {
    const [vote, ...others] = readVotesOf(sampleActivity("mastodon-poll-vote"));
    assert.deepEqual(others, []);
    assert.deepEqual(vote, {
      id: "https://mastodon.example/users/carol#votes/41",
      voter: "https://mastodon.example/users/carol",
      question: "https://kith.example/api/v1/ap/object/alicePoll",
      option: "Tea",
    });
  });

  test("GoToSocial: several at once", () => {
    const votes = readVotesOf(
      sampleActivity("gotosocial-poll-vote-two-choices"),
    );
    assert.deepEqual(
      votes.map((vote) => vote.option),
      ["Tea", "Coffee"],
    );
  });

  const voteJson: JsonObject = {
    id: "https://peer.example/votes/1",
    type: "Note",
    attributedTo: BOB,
    name: "red",
    inReplyTo: "https://kith.example/polls/1",
  };

  test("comments and notes with a text are not votes", () => {
    assert.ok(readVote(readNote(voteJson)));
    // snac's form of an empty text.
    assert.ok(readVote(readNote({ ...voteJson, content: "<br>" })));
    const { name: _, ...nameless } = voteJson;
    for (const json of [
      nameless,
      { ...voteJson, content: "<p>x</p>" },
      { ...voteJson, inReplyTo: null },
      { ...voteJson, inReplyTo: "tag:x" },
      { ...voteJson, type: "Article" },
      {
        ...voteJson,
        attachment: { type: "Image", url: "https://peer.example/1.png" },
      },
    ]) {
      assert.equal(readVote(readNote(json)), undefined);
    }
  });

  test("a vote for another voter is refused", () => {
    const create = (object: JsonObject, type = "Create") =>
      readVotesOf(readActivity({ type, actor: BOB, object }));
    assert.equal(create(voteJson).length, 1);
    const other = { ...voteJson, attributedTo: "https://peer.example/ann" };
    assert.deepEqual(create(other), []);
    assert.deepEqual(create(voteJson, "Update"), []);
    assert.deepEqual(create({ type: "Note", name: "red" }), []);
  });
});
