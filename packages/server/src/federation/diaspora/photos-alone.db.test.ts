import assert from "node:assert/strict";
import { test } from "node:test";
import type { Photo, Retraction, StatusMessage } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const photoBy = (
    by: RemotePersonWithKey,
    more: Partial<Photo> = {},
  ): Photo => ({
    type: "photo",
    guid: newGuid(),
    author: by.handle,
    public: true,
    remotePhotoPath: "https://pictures.example/",
    remotePhotoName: "1.jpg",
    ...more,
  });

  const retractionOf = (
    target: Photo,
    by: RemotePersonWithKey,
  ): Retraction => ({
    type: "retraction",
    author: by.handle,
    targetGuid: target.guid,
    targetType: "Photo",
  });

  async function textsOf({ guid }: { guid: string }): Promise<string[]> {
    const post = await home.features.posts.find({ guid });
    assert.ok(post);
    const found = await home.features.photos.listOf([post.id]);
    return (found.get(post.id) ?? []).map(({ text }) => text);
  }

  const seenBy = (photo: Photo, viewer: Person | null) =>
    home.features.photos.findVisible(
      { guid: photo.guid },
      viewer && { personId: viewer.id, userId: viewer.userId },
    );

  async function postOf(by: RemotePersonWithKey): Promise<StatusMessage> {
    const post = statusMessage(by);
    assertDone(await home.receivePublicly(post, by), "stored");
    return post;
  }

  test("a picture that comes after its post hangs on it", async () => {
    const post = await postOf(bob);
    const named = { statusMessageGuid: post.guid };
    const photo = photoBy(bob, { ...named, text: "late" });
    assertDone(await home.receivePublicly(photo, bob), "stored");
    assertDone(await home.receivePublicly(photo, bob), "known");
    assert.deepEqual(await textsOf(post), ["late"]);
    assert.ok(await seenBy(photo, null));
  });

  test("a picture that comes before its post waits for it, unseen", async () => {
    const post = statusMessage(bob);
    const named = { statusMessageGuid: post.guid };
    const [one, two] = [
      photoBy(bob, { ...named, text: "one" }),
      photoBy(bob, { ...named, text: "two" }),
    ];
    for (const photo of [one, two])
      assertDone(await home.receivePublicly(photo, bob), "stored");
    // Another person's can wait indefinitely.
    await home.receivePublicly(photoBy(eve, { ...named, text: "eve's" }), eve);
    assert.equal(await seenBy(one, null), undefined);
    assert.equal(await seenBy(one, alice), undefined);
    const nested = { ...post, photos: [{ ...two, text: "two, with it" }] };
    assertDone(await home.receivePublicly(nested, bob), "stored");
    assert.deepEqual(await textsOf(post), ["two, with it", "one"]);
  });

  test("its author alone changes a picture, and only forwards in time", async () => {
    const post = await postOf(bob);
    const photo = photoBy(bob, { statusMessageGuid: post.guid, text: "1" });
    const now = { editedAt: "2024-01-02T00:00:00Z" };
    const before = { editedAt: "2024-01-01T00:00:00Z" };
    const say = async (by: RemotePersonWithKey, changes: Partial<Photo>) => {
      const changed = { ...photo, author: by.handle, ...changes };
      return home.receivePublicly(changed, by);
    };
    assertDone(await say(bob, {}), "stored");
    assertDone(await say(bob, { text: "2" }), "known");
    assert.deepEqual(await textsOf(post), ["2"]);
    assertRefused(await say(eve, { ...now, text: "eve's" }));
    await say(bob, { ...now, text: "3", width: 8, height: 9 });
    for (const late of [{}, before, now])
      assertDone(await say(bob, { ...late, text: "old" }), "known");
    assert.deepEqual(await textsOf(post), ["3"]);
    const stored = await seenBy(photo, null);
    assert.deepEqual([stored?.width, stored?.height], [8, 9]);
  });

  test("nobody hangs a picture on another's post, or shows a limited one to all", async () => {
    const post = await postOf(bob);
    const named = { statusMessageGuid: post.guid };
    assertRefused(await home.receivePublicly(photoBy(eve, named), eve));
    const foreign = { ...photoBy(bob, named), author: bob.handle };
    assertRefused(await home.receivePublicly(foreign, eve));
    const limited = photoBy(bob, { ...named, public: false });
    assertRefused(await home.receivePublicly(limited, bob));
    assertRefused(await home.receivePrivately(limited, bob, alice));
    const early = statusMessage(bob);
    const waiting = { ...limited, guid: newGuid() };
    const before = { ...waiting, statusMessageGuid: early.guid };
    assertDone(await home.receivePrivately(before, bob, alice), "stored");
    await home.receivePublicly(early, bob);
    assert.deepEqual(await textsOf(early), []);
    assert.deepEqual(await textsOf(post), []);
    const nowhere = photoBy(bob, { remotePhotoPath: "https://a:b@x.example/" });
    assertRefused(await home.receivePublicly(nowhere, bob));
  });

  test("a limited picture is seen by those who see its post", async () => {
    const other = await home.signUp(`carl${newGuid().slice(0, 8)}`);
    const post = { ...statusMessage(bob), public: false };
    await home.receivePrivately(post, bob, alice);
    const photo = photoBy(bob, { public: false, statusMessageGuid: post.guid });
    assertDone(await home.receivePrivately(photo, bob, alice), "stored");
    assert.ok(await seenBy(photo, alice));
    assert.equal(await seenBy(photo, other), undefined);
    assert.equal(await seenBy(photo, null), undefined);
  });

  test("a post takes twenty pictures, however they come", async () => {
    const post = await postOf(bob);
    const named = { statusMessageGuid: post.guid };
    for (let n = 0; n < 20; n += 1)
      assertDone(
        await home.receivePublicly(photoBy(bob, named), bob),
        "stored",
      );
    assertRefused(await home.receivePublicly(photoBy(bob, named), bob));
  });

  test("its author alone takes a picture back, for ever", async () => {
    const post = await postOf(bob);
    const photo = photoBy(bob, { statusMessageGuid: post.guid });
    await home.receivePublicly(photo, bob);
    // The name in the message does not count.
    for (const author of [bob, eve])
      assertRefused(
        await home.receivePublicly(retractionOf(photo, author), eve),
      );
    assert.ok(await seenBy(photo, null));
    const retraction = retractionOf(photo, bob);
    assertDone(await home.receivePublicly(retraction, bob), "retracted");
    assertDone(await home.receivePublicly(retraction, bob), "known");
    assert.deepEqual(await textsOf(post), []);
    assertRefused(await home.receivePublicly(photo, bob));
    const empty = statusMessage(bob);
    const nested = { ...photo, statusMessageGuid: empty.guid };
    const again = { ...empty, photos: [nested] };
    await home.receivePublicly(again, bob);
    assert.deepEqual(await textsOf(again), []);
    const unknown = retractionOf(photoBy(bob), bob);
    assert.equal((await home.receivePublicly(unknown, bob)).kind, "wait");
  });

  test("a picture without any post is kept for nobody's eyes, and can be taken back", async () => {
    const photo = photoBy(bob);
    assertDone(await home.receivePublicly(photo, bob), "stored");
    assert.equal(await seenBy(photo, null), undefined);
    const retraction = retractionOf(photo, bob);
    assertDone(await home.receivePublicly(retraction, bob), "retracted");
  });
});
