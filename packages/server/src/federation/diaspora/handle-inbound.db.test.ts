import assert from "node:assert/strict";
import { test } from "node:test";
import { signProperties, type Comment, type Contact } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  assertDone,
  assertRefused,
  commentBy,
  commentOf,
  publish,
  reshareOf,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { findSignature } from "./records/relayable-store.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  test("a post is stored once", async () => {
    const post = statusMessage(bob);
    assertDone(await home.receivePublicly(post, bob), "stored");
    assertDone(await home.receivePublicly(post, bob), "known");
    const stored = await home.features.posts.find({ guid: post.guid });
    assert.equal(stored?.personId, bob.person.id);
    assert.equal(stored.createdAt, "2020-02-03T04:05:06.000Z");
  });

  test("a post under another's name, or with another's Guid, is refused", async () => {
    const post = statusMessage(bob);
    assertRefused(await home.receivePublicly(post, eve));
    assert.equal(
      await home.features.posts.find({ guid: post.guid }),
      undefined,
    );
    await home.receivePublicly(post, bob);
    const stolen = { ...statusMessage(eve), guid: post.guid };
    assertRefused(await home.receivePublicly(stolen, eve));
  });

  test("a limited post is seen by those to whom it came, and not taken in the open", async () => {
    const { posts } = home.features;
    const post = { ...statusMessage(bob), public: false };
    assertRefused(await home.receivePublicly(post, bob));
    assertDone(await home.receivePrivately(post, bob, alice), "stored");
    const viewer = { personId: alice.id, userId: alice.userId };
    const key = { guid: post.guid };
    assert.ok(await posts.findVisible(key, viewer));
    assert.equal(await posts.findVisible(key, null), undefined);
  });

  test("an undecryptable message is dropped, whatever is wrong with it", async () => {
    for (const body of [
      "",
      "{",
      '{"aes_key":"AA==","encrypted_magic_envelope":"AA=="}',
    ])
      assertDone(await home.receive(body, alice.userId), "undecryptable");
  });

  test("a comment by its author is kept as it was signed", async () => {
    const post = await publish(home, alice);
    const comment = await commentBy(bob, post.guid);
    assertDone(await home.receivePublicly(comment, bob), "stored");
    const kept = await findSignature(
      home.deps.db.read,
      "Comment",
      comment.guid,
    );
    assert.deepEqual(kept, comment.signed);
    assertDone(await home.receivePublicly(comment, bob), "known");
  });

  test("a comment whose own signature does not fit is refused", async () => {
    const post = await publish(home, alice);
    const comment = await commentBy(bob, post.guid);
    const signed = comment.signed ?? assert.fail();
    const properties = signed.properties.map(
      ([name, value]): [string, string] => [
        name,
        name === "text" ? "Something else" : value,
      ],
    );
    const forged = { ...comment, signed: { ...signed, properties } };
    assertRefused(await home.receivePublicly(forged, bob));
    const { guid } = comment;
    const unsigned = { ...comment, signed: { properties } };
    assertRefused(await home.receivePublicly(unsigned, bob));
    assert.equal(await home.features.comments.find({ guid }), undefined);
  });

  test("a comment on a remote post is taken from the author of the post alone", async () => {
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const comment = await commentBy(eve, post.guid);
    assertRefused(await home.receivePublicly(comment, eve));
    assertDone(await home.receivePublicly(comment, bob), "stored");
  });

  test("on a limited post only those comment who may see it", async () => {
    const post = await publish(home, alice, bob.person);
    const uninvited = await commentBy(eve, post.guid);
    assertRefused(await home.receivePrivately(uninvited, eve, alice));
    const invited = await commentBy(bob, post.guid);
    assertDone(await home.receivePrivately(invited, bob, alice), "stored");
  });

  test("a comment in the name of somebody here is refused", async () => {
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const mine = await commentBy({ ...bob, handle: alice.handle }, post.guid);
    assertRefused(await home.receivePublicly(mine, bob));
  });

  test("a comment is taken back by its author or the author of the post, by nobody else", async () => {
    const { comments } = home.features;
    const post = await publish(home, alice);
    const comment = await commentBy(bob, post.guid);
    await home.receivePublicly(comment, bob);
    const { guid } = comment;
    const retraction = {
      type: "retraction",
      // Forged: the signer counts.
      author: bob.handle,
      targetGuid: guid,
      targetType: "Comment",
    } as const;
    assertRefused(await home.receivePublicly(retraction, eve));
    assert.ok(await comments.find({ guid }));
    assertDone(await home.receivePublicly(retraction, bob), "retracted");
    assert.equal(await comments.find({ guid }), undefined);
    assertRefused(await home.receivePublicly(comment, bob));
    assertDone(await home.receivePublicly(retraction, bob), "known");
  });

  test("a retraction of an unknown object waits for it", async () => {
    const retraction = {
      type: "retraction",
      author: bob.handle,
      targetGuid: newGuid(),
      targetType: "Post",
    } as const;
    const result = await home.receivePublicly(retraction, bob);
    assert.equal(result.kind, "wait");
  });

  test("sharing starts and stops, and is meant for one person", async () => {
    const { contacts } = home.features;
    const userId = alice.userId ?? assert.fail();
    const contact: Contact = {
      type: "contact",
      author: bob.handle,
      recipient: alice.handle,
      following: true,
      sharing: true,
      blocking: false,
    };
    assertRefused(await home.receivePublicly(contact, bob));
    const misled = { ...contact, recipient: eve.handle };
    assertRefused(await home.receivePrivately(misled, bob, alice));
    await home.receivePrivately(contact, bob, alice);
    assert.equal((await contacts.find(userId, bob.person.id))?.sharing, true);
    const stop = { ...contact, following: false, sharing: false };
    await home.receivePrivately(stop, bob, alice);
    assert.equal((await contacts.find(userId, bob.person.id))?.sharing, false);
  });

  test("a public profile without details leaves those that are known", async () => {
    const { people } = home.features;
    const carol = await home.remotePerson("carol");
    const base = {
      type: "profile",
      author: carol.handle,
      firstName: "Carol",
      searchable: true,
      public: false,
      nsfw: false,
    } as const;
    await home.receivePrivately({ ...base, bio: "For friends" }, carol, alice);
    const image = { imageUrl: "https://carol.example/c.png" };
    await home.receivePublicly({ ...base, ...image }, carol);
    const person = await people.find({ id: carol.person.id });
    assert.equal(person?.profile.bio, "For friends");
    assert.equal(person.profile.imageUrl, image.imageUrl);
    await home.receivePublicly({ ...base, imageUrl: "/c.png" }, carol);
    const again = await people.find({ id: carol.person.id });
    assert.equal(again?.profile.imageUrl, "");
  });

  test("a reshare cannot name another author of its root, nor a limited post", async () => {
    const root = statusMessage(eve);
    await home.receivePublicly(root, eve);
    const lying = { ...reshareOf(root, bob), rootAuthor: bob.handle };
    assertRefused(await home.receivePublicly(lying, bob));
    const secret = { ...statusMessage(eve), public: false };
    await home.receivePrivately(secret, eve, alice);
    assertRefused(await home.receivePublicly(reshareOf(secret, bob), bob));
  });

  test("unknown properties of a comment are kept in their order", async () => {
    const post = await publish(home, alice);
    const guid = newGuid();
    const properties: [string, string][] = [
      ["text", "Hello"],
      ["flavour", "salt & pepper"],
      ["guid", guid],
      ["parent_guid", post.guid],
      ["author", bob.handle],
    ];
    const authorSignature = await signProperties(properties, bob.privateKey);
    const comment: Comment = {
      ...commentOf(bob, post.guid),
      guid,
      signed: { properties, authorSignature },
    };
    assertDone(await home.receivePublicly(comment, bob), "stored");
    const kept = await findSignature(home.deps.db.read, "Comment", guid);
    assert.deepEqual(kept?.properties, properties);
  });
});
