import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  buildEntity,
  buildEnvelope,
  type Photo,
  type StatusMessage,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Photo as StoredPhoto } from "../../features/photos/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  statusMessage,
} from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

const PATH = "https://pictures.example/uploads/";

forEachDatabase((kind) => {
  let home: HomeServer;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    bob = await home.remotePerson("bob");
    eve = await home.remotePerson("eve");
  });
  after(() => home.close());

  function withPhotos(
    by: RemotePersonWithKey,
    ...changes: readonly Partial<Photo>[]
  ): StatusMessage {
    const post = statusMessage(by);
    const photos = changes.map((change, n) => ({
      type: "photo" as const,
      guid: newGuid(),
      author: by.handle,
      public: true,
      remotePhotoPath: PATH,
      remotePhotoName: `${n}.jpg`,
      statusMessageGuid: post.guid,
      ...change,
    }));
    return { ...post, photos };
  }

  async function photosOf({ guid }: StatusMessage): Promise<StoredPhoto[]> {
    const post = await home.features.posts.find({ guid });
    assert.ok(post);
    const found = await home.features.photos.listOf([post.id]);
    return found.get(post.id) ?? [];
  }

  test("pictures come with their post, once, and are not fetched", async () => {
    const size = { width: 30, height: 20 };
    const post = withPhotos(bob, { text: "one", ...size }, {});
    const { text: _, ...wordless } = post;
    assertDone(await home.receivePublicly(wordless, bob), "stored");
    assertDone(await home.receivePublicly(wordless, bob), "known");
    const [first, second, ...others] = await photosOf(post);
    assert.ok(first && second);
    assert.deepEqual(others, []);
    assert.equal(first.guid, post.photos[0]?.guid);
    assert.equal(first.personId, bob.person.id);
    assert.equal(first.text, "one");
    assert.deepEqual([first.width, first.height], [30, 20]);
    assert.deepEqual([second.width, second.height], [0, 0]);
    const { urlOf } = home.features.photos;
    assert.equal(urlOf(first), `${PATH}0.jpg`);
    assert.equal(urlOf(first, "thumb_large"), `${PATH}thumb_large_0.jpg`);
    assert.equal(urlOf(second), `${PATH}1.jpg`);
    assert.deepEqual(home.fetched, []);
  });

  test("a path without a host is on the author's server", async () => {
    const post = withPhotos(bob, { remotePhotoPath: "/uploads/" });
    await home.receivePublicly(post, bob);
    const [photo] = await photosOf(post);
    assert.ok(photo);
    const url = home.features.photos.urlOf(photo);
    assert.equal(url, "https://bob.example/uploads/0.jpg");
  });

  test("texts that are no web address are left out", async () => {
    const post = withPhotos(
      bob,
      { remotePhotoPath: "https://user:word@pictures.example/" },
      { remotePhotoName: "x".repeat(3000) },
      { text: "good" },
    );
    await home.receivePublicly(post, bob);
    const found = await photosOf(post);
    assert.deepEqual(
      found.map(({ text }) => text),
      ["good"],
    );
  });

  test("twenty pictures are enough", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ text: String(n) }));
    const post = withPhotos(bob, ...many);
    await home.receivePublicly(post, bob);
    const found = await photosOf(post);
    assert.deepEqual(
      found.map(({ text }) => text),
      many.slice(0, 20).map(({ text }) => text),
    );
  });

  test("a picture under another's name is refused with its post", async () => {
    const post = withPhotos(eve, {});
    const payloadXml = buildEntity(post);
    const [photo] = post.photos;
    assert.ok(photo);
    const guid = `<guid>${photo.guid}</guid>`;
    const own = `<author>${eve.handle}</author>`;
    const stolen = payloadXml.replace(/<photo>[^]*<\/photo>/, (xml) =>
      xml.replace(own, `<author>${bob.handle}</author>`),
    );
    assert.ok(payloadXml.includes(guid) && stolen !== payloadXml);
    const envelope = await buildEnvelope({
      payloadXml: stolen,
      sender: eve.handle,
      privateKey: eve.privateKey,
    });
    const { outcome } = await home
      .receive(envelope, null)
      .then((result) => (result.kind === "done" ? result : assert.fail()));
    assert.doesNotMatch(outcome, /^(stored|known)$/);
    const { posts, photos } = home.features;
    assert.equal(await posts.find({ guid: post.guid }), undefined);
    const key = { guid: photo.guid };
    assert.equal(await photos.findVisible(key, null), undefined);
  });

  test("a Guid that is somebody else's is not believed", async () => {
    const first = withPhotos(bob, {});
    await home.receivePublicly(first, bob);
    const [taken] = await photosOf(first);
    assert.ok(taken);
    const second = withPhotos(eve, { guid: taken.guid });
    await home.receivePublicly(second, eve);
    const [copy] = await photosOf(second);
    assert.ok(copy);
    assert.notEqual(copy.guid, taken.guid);
    assert.deepEqual(await photosOf(first), [taken]);
  });

  test("pictures go with their post", async () => {
    const post = withPhotos(bob, {});
    await home.receivePublicly(post, bob);
    const [photo] = await photosOf(post);
    assert.ok(photo);
    await home.receivePublicly(
      {
        type: "retraction",
        author: bob.handle,
        targetGuid: post.guid,
        targetType: "Post",
      },
      bob,
    );
    const { guid } = photo;
    const found = await home.features.photos.findVisible({ guid }, null);
    assert.equal(found, undefined);
  });

  test("a picture is taken back alone, by its author", async () => {
    const post = withPhotos(bob, { text: "one" }, { text: "two" });
    assertDone(await home.receivePublicly(post, bob), "stored");
    const takeBack = (author: RemotePersonWithKey) =>
      home.receivePublicly(
        {
          type: "retraction",
          author: author.handle,
          targetGuid: post.photos[0]?.guid ?? "",
          targetType: "Photo",
        },
        author,
      );
    const textsOf = async () => (await photosOf(post)).map(({ text }) => text);
    assertRefused(await takeBack(eve));
    assert.deepEqual(await textsOf(), ["one", "two"]);
    assertDone(await takeBack(bob), "retracted");
    assert.deepEqual(await textsOf(), ["two"]);
  });
});
