import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Location } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { assertDone, statusMessage } from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { renderFor } from "./rendered.fixture.ts";

const PLACE = { address: "Prater", lat: "48.208174", lng: "16.373819" };
const LOCATION: Location = { type: "location", ...PLACE };

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
  });
  after(() => home.close());

  async function received(location: Location) {
    const entity = { ...statusMessage(bob), location };
    assertDone(await home.receivePublicly(entity, bob), "stored");
    const { guid } = entity;
    return (await home.features.posts.find({ guid })) ?? assert.fail();
  }

  test("where a post was written is kept as far as it is on the earth", async () => {
    assert.deepEqual((await received(LOCATION)).location, PLACE);
    const bare = await received({ type: "location", lat: "1.50", lng: "-0" });
    assert.deepEqual(bare.location, { address: "", lat: "1.5", lng: "0" });
    const beyond = await received({ ...LOCATION, lat: "91" });
    assert.equal(beyond.location, null);
    const words = await received({ ...LOCATION, lng: "east" });
    assert.equal(words.location, null);
  });

  test("a post goes out with its place, and goes with it", async () => {
    const author = {
      userId: alice.userId ?? assert.fail(),
      personId: alice.id,
    };
    const { posts } = home.features;
    const written = { author, text: "Here", location: PLACE };
    const post = await posts.publish(written);
    const fact = {
      type: "post.published",
      postId: post.id,
      by: alice.id,
    } as const;
    const [entity] = await renderFor(home, fact, alice, [bob]);
    assert.equal(entity?.type, "status_message");
    assert.deepEqual(entity.location, LOCATION);
    const plain = await posts.publish({ author, text: "Nowhere" });
    const other = { ...fact, postId: plain.id };
    const [nowhere] = await renderFor(home, other, alice, [bob]);
    assert.equal(nowhere?.type, "status_message");
    assert.equal(nowhere.location, undefined);
  });
});
