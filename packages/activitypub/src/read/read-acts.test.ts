import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../json/json-types.ts";
import {
  readBlock,
  readCollectionChange,
  readDelete,
  readFlag,
  readMove,
  readParticipation,
  readReaction,
  readTombstone,
} from "./read-acts.ts";
import { readActivity } from "./read-activity.ts";
import { refused, sampleActivity, sampleObject } from "../../test/samples.ts";

const BASE = "https://kith.example/api/v1/ap";
const ALICE = `${BASE}/person/alice`;
const ALICE_POST = `${BASE}/object/alicePost`;
const ALICE_EVENT = `${BASE}/object/aliceEvent`;
const CAROL = "https://mastodon.example/users/carol";
const NO = refused("not_an_activity");

const act = (over: JsonObject) =>
  readActivity({ actor: CAROL, object: ALICE_POST, ...over });

describe("reactions", () => {
  test("Mastodon likes, Friendica dislikes", () => {
    assert.deepEqual(readReaction(sampleActivity("mastodon-like")), {
      kind: "like",
      actor: CAROL,
      object: ALICE_POST,
    });
    const dislike = readReaction(sampleActivity("friendica-dislike"));
    assert.deepEqual([dislike.kind, dislike.object], ["dislike", ALICE_POST]);
  });

  test("Pleroma reacts with an EmojiReact, Misskey with a Like", () => {
    const fire = readReaction(sampleActivity("pleroma-emoji-react"));
    assert.deepEqual([fire.kind, fire.emoji], ["emoji", "🔥"]);
    const party = readReaction(sampleActivity("misskey-emoji-reaction"));
    assert.deepEqual(
      [party.kind, party.emoji, party.emojiUrl],
      ["emoji", ":blob_party:", "https://misskey.example/files/blob.png"],
    );
    const undone = sampleObject("misskey-undo-reaction");
    assert.equal(readReaction(readActivity(undone)).kind, "emoji");
  });

  test("an image belongs to the emoji of that name, with or without colons", () => {
    const tag = (name: string) => ({
      type: "Emoji",
      name,
      icon: { type: "Image", url: "https://mastodon.example/e.png" },
    });
    const urlOf = (content: string, name: string) =>
      readReaction(act({ type: "EmojiReact", content, tag: tag(name) }))
        .emojiUrl;
    assert.equal(urlOf(":a:", "a"), "https://mastodon.example/e.png");
    assert.equal(urlOf(":a:", ":b:"), undefined);
  });

  test("refuses reactions without an emoji or an object, and other activities", () => {
    for (const over of [
      { type: "EmojiReact" },
      { type: "Like", object: null },
      { type: "Like", object: "tag:x" },
      { type: "Announce" },
    ]) {
      assert.throws(() => readReaction(act(over)), NO);
    }
    const dislike = readReaction(act({ type: "Dislike", content: "🔥" }));
    assert.equal("emoji" in dislike, false);
  });
});

describe("accounts", () => {
  test("Mastodon blocks and unblocks", () => {
    const expected = { by: CAROL, blocked: ALICE };
    assert.deepEqual(readBlock(sampleActivity("mastodon-block")), expected);
    const undone = readActivity(sampleObject("mastodon-undo-block"));
    assert.deepEqual(readBlock(undone), expected);
    assert.throws(() => readBlock(act({ type: "Follow" })), NO);
  });

  test("a Move is by the moved account, to another one", () => {
    assert.deepEqual(readMove(sampleActivity("mastodon-move")), {
      from: CAROL,
      to: "https://new.example/users/carol",
    });
    assert.throws(
      () => readMove(sampleActivity("evil-move-of-someone-else")),
      NO,
    );
    for (const target of [null, CAROL, "tag:x"]) {
      const move = act({ type: "Move", object: CAROL, target });
      assert.throws(() => readMove(move), NO);
    }
  });

  test("a Flag names an account, posts, and the reason", () => {
    assert.deepEqual(readFlag(sampleActivity("mastodon-flag")), {
      actor: "https://mastodon.example/actor",
      objects: [ALICE, ALICE_POST],
      comment: "Please look at this",
    });
    const one = readFlag(act({ type: "Flag", object: [ALICE, ALICE, "x"] }));
    assert.deepEqual([one.objects, one.comment], [[ALICE], ""]);
    assert.throws(() => readFlag(act({ type: "Flag", object: [] })), NO);
  });

  test("the Delete of an actor is distinct from that of a post", () => {
    const account = readDelete(sampleActivity("mastodon-delete-actor"));
    assert.deepEqual(account, { actor: CAROL, object: CAROL, isActor: true });
    const post = readDelete(sampleActivity("mastodon-delete-note"));
    assert.equal(post.isActor, false);
    const event = readDelete(sampleActivity("gancio-delete-event"));
    assert.equal(event.object, "https://gancio.example/federation/m/12");
    assert.throws(() => readDelete(act({ type: "Undo" })), NO);
  });

  test("a Tombstone names its former type", () => {
    const id = "https://mastodon.example/1";
    assert.deepEqual(
      readTombstone({
        id,
        type: "Tombstone",
        formerType: "Note",
        deleted: "2026-06-15T10:00:00Z",
      }),
      { id, formerType: "Note", deleted: "2026-06-15T10:00:00.000Z" },
    );
    for (const json of [{ id }, { type: "Tombstone" }, { id, type: "Note" }]) {
      assert.throws(() => readTombstone(json), refused("not_an_object"));
    }
  });
});

describe("pinned posts", () => {
  test("Mastodon adds and removes, without an id", () => {
    const added = readCollectionChange(sampleActivity("mastodon-add-featured"));
    assert.deepEqual(
      [added.kind, added.target],
      ["add", `${CAROL}/collections/featured`],
    );
    const removed = readCollectionChange(
      sampleActivity("mastodon-remove-featured"),
    );
    assert.deepEqual([removed.kind, removed.object], ["remove", added.object]);
  });

  test("a change without a collection is refused", () => {
    assert.throws(() => readCollectionChange(act({ type: "Add" })), NO);
  });
});

describe("participation in events", () => {
  const sample = (name: string) => readParticipation(sampleActivity(name));

  test("Mobilizon joins, with a message, and leaves", () => {
    assert.deepEqual(sample("mobilizon-join"), {
      kind: "join",
      actor: "https://mobilizon.example/@jon",
      object: ALICE_EVENT,
      message: "count me in",
    });
    const left = sample("mobilizon-leave");
    assert.deepEqual([left.kind, left.object], ["leave", ALICE_EVENT]);
  });

  test("the answer to a Join embeds it", () => {
    for (const [name, kind] of [
      ["mobilizon-accept-join", "accept"],
      ["mobilizon-reject-join", "reject"],
    ] as const) {
      const answer = sample(name);
      assert.deepEqual(
        [answer.kind, answer.object, answer.objectType],
        [kind, `${BASE}/object/aliceJoin`, "Join"],
      );
    }
    assert.equal(sample("wordpress-ignore-join").kind, "ignore");
  });

  test("Friendica answers the event itself", () => {
    const kinds = ["yes", "maybe", "no"].map((answer) => {
      const { kind, object } = sample(`friendica-attend-${answer}`);
      assert.equal(object, ALICE_EVENT);
      return kind;
    });
    assert.deepEqual(kinds, ["accept", "maybe", "reject"]);
  });

  test("other activities are refused", () => {
    assert.throws(() => readParticipation(act({ type: "Like" })), NO);
    assert.throws(
      () => readParticipation(act({ type: "Join", object: null })),
      NO,
    );
  });
});
