import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import { newGuid } from "../../../lib/guids.ts";
import { assertDone, reshareOf, statusMessage } from "../entities.fixture.ts";
import {
  openHomeServer,
  seal,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../../test/support/remote/home-server.ts";

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

  test("the post that a reshare passes on is fetched", async () => {
    const root = statusMessage(eve);
    const reshare = reshareOf(root, bob);
    assert.equal((await home.receivePublicly(reshare, bob)).kind, "wait");
    const other = statusMessage(eve);
    const again = reshareOf(other, bob);
    const url = `https://eve.example/fetch/post/${other.guid}`;
    home.shelf.set(url, await seal(other, eve));
    assertDone(await home.receivePublicly(again, bob), "stored");
    assert.ok(await home.features.posts.find({ guid: other.guid }));
  });

  test("a server is not asked again for what it did not have", async () => {
    const reshare = reshareOf(statusMessage(eve), bob);
    await home.receivePublicly(reshare, bob);
    await home.receivePublicly(reshare, bob);
    const asked = home.fetched.filter((url) =>
      url.endsWith(reshare.rootGuid ?? ""),
    );
    assert.equal(asked.length, 1);
  });

  test("a fetch that brings something else changes nothing", async () => {
    const root = statusMessage(eve);
    const other = statusMessage(eve);
    const url = `https://eve.example/fetch/post/${root.guid}`;
    home.shelf.set(url, await seal(other, eve));
    const result = await home.receivePublicly(reshareOf(root, bob), bob);
    assert.equal(result.kind, "wait");
    const { posts } = home.features;
    assert.equal(await posts.find({ guid: other.guid }), undefined);
  });

  test("reshares that pass on each other come to an end", async () => {
    const [one, two] = [newGuid(), newGuid()];
    const first = reshareOf({ guid: two, author: eve.handle }, bob, one);
    const second = reshareOf({ guid: one, author: bob.handle }, eve, two);
    home.shelf.set(
      `https://bob.example/fetch/post/${one}`,
      await seal(first, bob),
    );
    home.shelf.set(
      `https://eve.example/fetch/post/${two}`,
      await seal(second, eve),
    );
    const results = await Promise.all([
      home.receivePublicly(first, bob),
      home.receivePublicly(second, eve),
    ]);
    assert.deepEqual(
      results.map((result) => result.kind),
      ["wait", "wait"],
    );
  });
});
