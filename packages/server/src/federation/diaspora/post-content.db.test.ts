import assert from "node:assert/strict";
import { test } from "node:test";
import type { Embed, StatusMessage } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  commentOf,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { renderFor } from "./rendered.fixture.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const find = ({ guid }: { guid: string }) =>
    home.features.posts.find({ guid });

  /** A post as it arrives over the other protocol. */
  const overTheOther = (by: RemotePersonWithKey, uri: string) =>
    home.features.posts.receive({
      guid: newGuid(),
      personId: by.person.id,
      type: "post",
      public: true,
      listed: true,
      text: "Hello",
      providerName: "",
      rootGuid: null,
      rootPersonId: null,
      uri,
      url: uri,
      createdAt: "2024-01-01T00:00:00.000Z",
      recipients: [],
    });

  const uriOf = (by: RemotePersonWithKey) =>
    `https://${by.handle.split("@")[1]}/objects/${newGuid()}`;

  const withUri = (
    by: RemotePersonWithKey,
    activitypubId: string,
  ): StatusMessage => ({
    ...statusMessage(by),
    activitypubId,
  });

  test("an embed of a post does no harm, and its provider is kept", async () => {
    const embeds: Embed[] = [
      { type: "embed", nothing: true },
      {
        type: "embed",
        url: "https://x.example/",
        title: "<b>",
        image: "https://x.example/i",
      },
    ];
    for (const embed of embeds) {
      const named = { providerDisplayName: "mobile", embed };
      const post = { ...statusMessage(bob), ...named };
      assertDone(await home.receivePublicly(post, bob), "stored");
      assert.equal((await find(post))?.providerName, "mobile");
    }
    assert.deepEqual(home.fetched, []);
  });

  test("a post says something or shows something", async () => {
    const post = statusMessage(bob);
    const photo = {
      type: "photo" as const,
      guid: newGuid(),
      author: bob.handle,
      public: true,
      remotePhotoPath: "https://pictures.example/",
      remotePhotoName: "1.jpg",
    };
    const blank = { ...post, text: " \n" };
    assertRefused(await home.receivePublicly(blank, bob));
    assert.equal(await find(post), undefined);
    const { text: _, ...wordless } = post;
    const shown = { ...wordless, photos: [photo] };
    assertDone(await home.receivePublicly(shown, bob), "stored");
    assert.equal((await find(post))?.text, "");
  });

  test("the tag for warnings is one, in whatever letters", async () => {
    const post = { ...statusMessage(bob), text: "Well #NsFw." };
    await home.receivePublicly(post, bob);
    assert.equal((await find(post))?.nsfw, true);
  });

  test("a reshare of what is gone says nothing", async () => {
    const guid = newGuid();
    const reshare = { type: "reshare" as const, author: bob.handle, guid };
    const outcome = "ignored: passes on what is gone";
    assertDone(await home.receivePublicly(reshare, bob), outcome);
    assert.equal(await find({ guid }), undefined);
  });

  test("a post that came over the other protocol is the same one, by both Guids", async () => {
    const uri = uriOf(bob);
    const first = await overTheOther(bob, uri);
    assert.equal(first.kind, "stored");
    const second = withUri(bob, uri);
    assertDone(await home.receivePublicly(second, bob), "known");
    const post = await find(second);
    assert.equal(post?.id, first.value.id);
    const comment = commentOf(bob, second.guid);
    assertDone(await home.receivePublicly(comment, bob), "stored");
    // No other author gets a Guid that names a post already.
    const squat = { ...statusMessage(eve), guid: second.guid };
    assertRefused(await home.receivePublicly(squat, eve));
    const author = {
      userId: alice.userId ?? assert.fail(),
      personId: alice.id,
    };
    const on = { id: post.id };
    const own = await home.features.comments.create({ author, on, text: "Hi" });
    const fact = { type: "comment.created", commentId: own.id } as const;
    const [sent, asked] = await renderFor(
      home,
      { ...fact, by: alice.id },
      alice,
      [bob],
    );
    assert.ok(sent && "parentGuid" in sent && sent.parentGuid === second.guid);
    assert.ok(asked && "parentGuid" in asked);
    assert.equal(asked.parentGuid, second.guid);
    const retraction = {
      type: "retraction" as const,
      author: bob.handle,
      targetGuid: second.guid,
      targetType: "Post",
    };
    assertDone(await home.receivePublicly(retraction, bob), "retracted");
    assert.equal(await home.features.posts.find({ uri }), undefined);
    assertRefused(await home.receivePublicly(second, bob));
    assert.equal((await overTheOther(bob, uri)).kind, "refused");
  });

  test("and it is the same one where it comes over the other protocol later", async () => {
    const uri = uriOf(bob);
    const first = withUri(bob, uri);
    assertDone(await home.receivePublicly(first, bob), "stored");
    const second = await overTheOther(bob, uri);
    assert.equal(second.kind, "known");
    assert.equal(second.value.guid, first.guid);
    assert.equal(second.value.otherGuid, null);
  });

  test("nobody takes another's place by naming it", async () => {
    const uri = uriOf(bob);
    const claim = withUri(eve, uri);
    assertDone(await home.receivePublicly(claim, eve), "stored");
    assert.equal((await find(claim))?.uri, null);
    assert.equal((await overTheOther(bob, uri)).kind, "stored");
    const again = withUri(eve, uri);
    assertDone(await home.receivePublicly(again, eve), "stored");
    assert.notEqual((await find(again))?.personId, bob.person.id);
    const script = withUri(bob, "https://bob.example.evil.example/1");
    await home.receivePublicly(script, bob);
    assert.equal((await find(script))?.uri, null);
  });
});
