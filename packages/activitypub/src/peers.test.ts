import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readAudience } from "./audience.ts";
import { parseJson } from "./json/json.ts";
import { PUBLIC } from "./media-types.ts";
import { readActivity } from "./read/read-activity.ts";
import type { Activity } from "./read/read-activity.ts";
import { readActor } from "./read/read-actor.ts";
import { readNote } from "./read/read-note.ts";
import type { Note } from "./read/read-note.ts";
import { readIntegrityProof } from "./proofs/integrity-proof.ts";
import { sampleBytes } from "../test/vectors.ts";

const ALICE = "https://kith.example/api/v1/ap/person/alice";
const ALICE_POST = "https://kith.example/api/v1/ap/object/alicePost";

function activity(name: string): Activity {
  return readActivity(parseJson(sampleBytes(name)));
}

function note(name: string): Note {
  const embedded = activity(name).object?.embedded;
  assert.ok(embedded);
  return readNote(embedded);
}

describe("objects of peers", () => {
  test("Mastodon: a public note", () => {
    const created = activity("mastodon-create-note-public");
    assert.equal(created.type, "Create");
    assert.equal(created.actor, "https://mastodon.example/users/carol");
    assert.equal(
      created.object?.id,
      "https://mastodon.example/users/carol/statuses/1",
    );
    const read = note("mastodon-create-note-public");
    assert.equal(read.language, "en");
    assert.equal(read.summary, undefined);
    assert.equal(read.sensitive, false);
    assert.equal(read.published, "2026-06-15T09:58:00.000Z");
    assert.deepEqual(
      read.tags.map(({ type, name }) => [type, name]),
      [
        ["Mention", "@alice@kith.example"],
        ["Hashtag", "#birds"],
        ["Emoji", ":blobcat:"],
      ],
    );
    assert.deepEqual(read.attachments, [
      {
        type: "Document",
        mediaType: "image/jpeg",
        url: "https://mastodon.example/system/m/1.jpg",
        name: "A heron at dawn",
        width: 1600,
        height: 900,
        blurhash: "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH",
        focalPoint: [-0.42, 0.69],
      },
    ]);
    assert.match(read.context ?? "", /^tag:mastodon\.example/);
    assert.deepEqual(
      readAudience(read.to, read.cc, `${created.actor}/followers`),
      { scope: "public", addressed: [ALICE] },
    );
  });

  test("Mastodon: the four scopes", () => {
    const followers = "https://mastodon.example/users/carol/followers";
    const scopes = ["public", "unlisted", "followers-only", "direct"].map(
      (name) => {
        const { to, cc } = note(`mastodon-create-note-${name}`);
        return readAudience(to, cc, followers).scope;
      },
    );
    assert.deepEqual(scopes, ["public", "unlisted", "followers", "direct"]);
  });

  test("Mastodon: an actor", () => {
    const actor = readActor(parseJson(sampleBytes("mastodon-actor")));
    assert.equal(actor.preferredUsername, "carol");
    assert.equal(actor.sharedInbox, "https://mastodon.example/inbox");
    assert.equal(actor.url, "https://mastodon.example/@carol");
    assert.equal(actor.publicKeys[0]?.id, `${actor.id}#main-key`);
    assert.ok(actor.icon?.url.startsWith("https://mastodon.example/"));
  });

  test("Mastodon: a vote has a name and no content", () => {
    const read = note("mastodon-poll-vote");
    assert.deepEqual([read.name, read.content], ["Tea", ""]);
  });

  test("Mastodon: Add has no id", () => {
    const added = activity("mastodon-add-featured");
    assert.equal(added.id, undefined);
    assert.match(added.target ?? "", /collections\/featured$/);
  });

  test("Mastodon: a Flag has several objects", () => {
    assert.deepEqual(
      activity("mastodon-flag").objects.map(({ id }) => id),
      [ALICE, ALICE_POST],
    );
  });

  test("Mastodon: Undo embeds the undone activity", () => {
    const embedded = activity("mastodon-undo-like").object?.embedded;
    assert.ok(embedded);
    assert.equal(readActivity(embedded).object?.id, ALICE_POST);
  });

  test("GoToSocial: single values for lists, the description in summary", () => {
    const read = note("gotosocial-create-note-single-values");
    assert.deepEqual(read.to, [PUBLIC]);
    assert.equal(read.tags[0]?.href, ALICE);
    assert.equal(read.attachments[0]?.name, "alt text in summary");
    assert.equal(read.language, "de");
  });

  test("GoToSocial: a vote with two choices", () => {
    const names = activity("gotosocial-poll-vote-two-choices").objects.map(
      ({ embedded }) => embedded && readNote(embedded).name,
    );
    assert.deepEqual(names, ["Tea", "Coffee"]);
  });

  test("GoToSocial: an Accept with the id of the Follow only", () => {
    const { object } = activity("gotosocial-accept-follow-object-as-id");
    assert.equal(object?.embedded, undefined);
    assert.match(object?.id ?? "", /aliceFollow$/);
  });

  test("Misskey: an actor, and a quote under its own name", () => {
    const actor = readActor(parseJson(sampleBytes("misskey-actor")));
    assert.equal(actor.discoverable, true);
    assert.deepEqual(actor.icon, {
      url: "https://misskey.example/files/i.webp",
    });
    assert.equal(note("misskey-quote").quote, ALICE_POST);
    assert.equal(
      note("misskey-create-note-mfm").source?.mediaType,
      "text/x.misskeymarkdown",
    );
  });

  test("Misskey: a note to named people", () => {
    const { to, cc } = note("misskey-specified-note");
    assert.deepEqual(readAudience(to, cc), {
      scope: "direct",
      addressed: [ALICE],
    });
  });

  test("Pleroma and Akkoma: null for absent values", () => {
    const read = note("pleroma-create-note");
    assert.equal(read.sensitive, false);
    assert.equal(read.inReplyTo, ALICE_POST);
    assert.equal(read.published, "2026-06-15T09:58:35.602Z");
    assert.equal(
      note("akkoma-emoji-null-id").tags[0]?.iconUrl,
      "https://pleroma.example/emoji/firefox.png",
    );
    const reaction = activity("pleroma-emoji-react");
    assert.equal(reaction.type, "EmojiReact");
    assert.equal(reaction.object?.id, ALICE_POST);
  });

  test("Friendica: a private list, an event, attendance", () => {
    const { to, cc } = note("friendica-create-note-private-list");
    assert.deepEqual(readAudience(to, cc).addressed, [
      ALICE,
      "https://other.example/profile/hal",
    ]);
    const event = note("friendica-create-event");
    assert.deepEqual([event.type, event.name], ["Event", "Bike ride"]);
    assert.equal(activity("friendica-attend-maybe").type, "TentativeAccept");
  });

  test("Lemmy: a group announces the Create of a page", () => {
    const inner = activity("lemmy-announce-create-page").object?.embedded;
    assert.ok(inner);
    const page = readActivity(inner).object?.embedded;
    assert.ok(page);
    const read = readNote(page);
    assert.deepEqual([read.type, read.name], ["Page", "Best soil?"]);
    assert.deepEqual(read.attachments, [
      { type: "Link", url: "https://soil.example/a" },
    ]);
    const group = readActor(parseJson(sampleBytes("lemmy-group-actor")));
    assert.equal(group.type, "Group");
  });

  test("Mobilizon, Gancio and WordPress: events", () => {
    assert.equal(note("mobilizon-create-event").name, "Repair café");
    assert.equal(note("gancio-create-event").attachments[0]?.name, "poster");
    assert.equal(note("wordpress-create-event").type, "Event");
    assert.match(activity("mobilizon-join").object?.id ?? "", /aliceEvent$/);
  });

  test("WordPress: a title and a teaser", () => {
    const read = note("wordpress-create-article");
    assert.deepEqual([read.type, read.name], ["Article", "A long read"]);
    assert.equal(read.summary, "<p>Teaser…</p>");
  });

  test("PeerTube: only the id of a video", () => {
    assert.deepEqual(activity("peertube-announce-video").objects, [
      { id: "https://peertube.example/videos/watch/e794" },
    ]);
  });

  test("snac, Hollo and Mitra: small notes", () => {
    assert.equal(note("snac-create-note").content, "<p>tiny server</p>");
    const hollo = note("hollo-create-note-object-link-quote");
    assert.deepEqual([hollo.quote, hollo.language], [ALICE_POST, "ko"]);
    const proof = readIntegrityProof(
      parseJson(sampleBytes("mitra-create-with-unknown-proof")),
    );
    assert.equal(
      proof?.verificationMethod,
      "https://mitra.example/users/max#ed25519-key",
    );
  });
});
