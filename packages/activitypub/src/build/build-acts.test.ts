import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  buildActorDelete,
  buildAttendance,
  buildBlock,
  buildCollectionChange,
  buildEmojiReact,
  buildFlag,
  buildJoin,
  buildLeave,
  buildMove,
  buildQuoteRequest,
} from "./build-acts.ts";
import { buildNote } from "./build-note.ts";
import { buildQuestion, buildVote } from "./build-question.ts";
import { withContext } from "../context.ts";
import type { JsonObject } from "../json/json-types.ts";
import { PUBLIC } from "../media-types.ts";
import { readQuoteRequest } from "../quotes.ts";
import {
  readBlock,
  readCollectionChange,
  readDelete,
  readFlag,
  readMove,
  readParticipation,
  readReaction,
} from "../read/read-acts.ts";
import { readActivity } from "../read/read-activity.ts";
import { ALICE, BASE, noteInput, wire } from "../../test/notes.ts";

const BOB = "https://peer.example/users/bob";
const POST = "https://peer.example/posts/1";
const act = { id: `${BASE}/activity/1`, actor: ALICE };
const arrived = (activity: JsonObject) =>
  readActivity(wire(withContext(activity)));

describe("activities that we send, as they arrive", () => {
  test("Block, Move, Flag, and the Delete of an account", () => {
    const block = arrived(buildBlock({ ...act, blocked: BOB }));
    assert.deepEqual(readBlock(block), { by: ALICE, blocked: BOB });
    assert.deepEqual(block.to, [BOB]);

    const target = "https://new.example/alice";
    const followersUri = `${ALICE}/followers`;
    const move = arrived(buildMove({ ...act, target, followersUri }));
    assert.deepEqual(readMove(move), { from: ALICE, to: target });
    assert.deepEqual(move.to, [followersUri]);

    const flag = arrived(
      buildFlag({ ...act, account: BOB, objects: [POST], comment: "spam" }),
    );
    assert.deepEqual(readFlag(flag), {
      actor: ALICE,
      objects: [BOB, POST],
      comment: "spam",
    });

    const gone = arrived(buildActorDelete(act));
    assert.equal(readDelete(gone).isActor, true);
    assert.equal(typeof gone.raw["object"], "string");
    assert.deepEqual(gone.to, [PUBLIC]);
  });

  test("EmojiReact, with an image for a custom emoji", () => {
    const fire = { ...act, object: POST, author: BOB, emoji: "🔥" };
    const plain = arrived(buildEmojiReact(fire));
    assert.equal(readReaction(plain).emoji, "🔥");
    assert.equal("tag" in plain.raw, false);
    const emojiUrl = "https://kith.example/blob.png";
    const custom = buildEmojiReact({ ...fire, emoji: ":blob:", emojiUrl });
    assert.equal(readReaction(arrived(custom)).emojiUrl, emojiUrl);
  });

  test("QuoteRequest embeds the quoting post, without its context", () => {
    const quoting = withContext(buildNote({ ...noteInput, quote: POST }));
    const request = arrived(
      buildQuoteRequest({ ...act, quoted: POST, author: BOB, quoting }),
    );
    const read = readQuoteRequest(request);
    assert.deepEqual([read.quoted, read.quoting], [POST, noteInput.id]);
    assert.ok(read.embedded && !("@context" in read.embedded));
    const terms = (request.raw["@context"] as JsonObject[]).at(-1) ?? {};
    for (const name of ["QuoteRequest", "quote", "quoteUri"]) {
      assert.ok(name in terms, name);
    }
  });

  test("Join with a message, Leave, and Friendica's answers", () => {
    const event = { ...act, event: POST, organizer: BOB };
    const join = arrived(buildJoin({ ...event, message: "with cake" }));
    assert.deepEqual(readParticipation(join), {
      kind: "join",
      actor: ALICE,
      object: POST,
      message: "with cake",
    });
    assert.deepEqual(join.to, [BOB]);
    assert.equal(
      "message" in readParticipation(arrived(buildJoin(event))),
      false,
    );
    assert.equal(readParticipation(arrived(buildLeave(event))).kind, "leave");
    const kinds = (["Accept", "TentativeAccept", "Reject"] as const).map(
      (answer) =>
        readParticipation(arrived(buildAttendance({ ...event, answer }))).kind,
    );
    assert.deepEqual(kinds, ["accept", "maybe", "reject"]);
  });

  test("Add and Remove of a pinned post", () => {
    const target = `${ALICE}/featured`;
    for (const kind of ["add", "remove"] as const) {
      const change = { ...act, kind, object: POST, target, to: [PUBLIC] };
      const built = arrived(buildCollectionChange(change));
      assert.deepEqual(readCollectionChange(built), {
        kind,
        actor: ALICE,
        object: POST,
        target,
      });
    }
  });

  test("a poll has one kind of options, and a vote has only a name", () => {
    const poll = { options: [{ name: "a", votes: 1 }], votersCount: 1 };
    const one = buildQuestion(noteInput, { ...poll, multiple: false });
    assert.deepEqual(one["oneOf"], [
      {
        type: "Note",
        name: "a",
        replies: { type: "Collection", totalItems: 1 },
      },
    ]);
    assert.equal("anyOf" in one || "closed" in one || "endTime" in one, false);
    const any = buildQuestion(noteInput, { ...poll, multiple: true });
    assert.equal("anyOf" in any && !("oneOf" in any), true);
    const vote = buildVote({
      id: `${BASE}/votes/1`,
      voter: ALICE,
      question: POST,
      option: "a",
      author: BOB,
    });
    assert.deepEqual(vote, {
      id: `${BASE}/votes/1`,
      type: "Note",
      attributedTo: ALICE,
      to: [BOB],
      cc: [],
      name: "a",
      inReplyTo: POST,
    });
  });
});
