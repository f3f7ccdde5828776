import assert from "node:assert/strict";
import { test } from "node:test";
import { encryptEnvelope, type Contact, type Profile } from "@kith/diaspora";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  podComment,
  podLike,
  podPost,
  podReshare,
  podRetraction,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import { besiege } from "../support/hostile.ts";

forEachDatabase((kind) => {
  const siege = besiege(kind);
  const { kith, ann, knownPerson, farPerson, unharmed } = siege;
  const features = () => kith().server.features;
  const contactOf = async ({ handle }: PodPerson) => {
    const person = await features().people.find({ handle });
    const user = await features().people.find({ handle: ann().handle });
    assert.ok(person && user?.userId != null);
    return features().contacts.find(user.userId, person.id);
  };
  const contact = ({ handle }: PodPerson, sharing: boolean): Contact => ({
    type: "contact",
    author: handle,
    recipient: ann().handle,
    following: sharing,
    sharing,
    blocking: false,
  });

  test("replay of a post, a reshare and a comment after their retraction", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const root = podPost(eve);
    await eve.deliver(kith(), root);
    const mine = await ann().post<PostRecord>("/posts", { post: "x" });
    const post = podPost(bob);
    const reshare = podReshare(bob, root);
    const comment = await podComment(bob, mine.Guid);
    const like = await podLike(bob, mine.Guid);
    for (const entity of [post, reshare, comment, like])
      await bob.deliver(kith(), entity);
    for (const [type, { guid }] of [
      ["Post", post],
      ["Post", reshare],
      ["Comment", comment],
      ["Like", like],
    ] as const)
      await bob.deliver(kith(), podRetraction(bob, type, guid));
    await unharmed(async () => {
      for (const entity of [post, reshare, comment, like])
        await bob.deliver(kith(), entity);
    });
    const { posts, comments, likes } = features();
    for (const { guid } of [post, reshare])
      assert.equal(await posts.find({ guid }), undefined);
    assert.equal(await comments.find({ guid: comment.guid }), undefined);
    assert.equal(await likes.find({ guid: like.guid }), undefined);
  });

  test("replay of existing objects stores nothing twice", async () => {
    const bob = await knownPerson();
    const post = podPost(bob);
    const envelope = await bob.seal(post);
    await postTo(kith(), "/receive/public", envelope);
    await kith().settle();
    await unharmed(async () => {
      for (let times = 0; times < 20; times += 1)
        assert.equal(await postTo(kith(), "/receive/public", envelope), 202);
    });
  });

  test("replay of a contact: the same encrypted bytes count once", async () => {
    const bob = await knownPerson();
    const { Guid, SerializedPublicKey } = ann().record;
    const share = encryptEnvelope(
      await bob.seal(contact(bob, true)),
      SerializedPublicKey,
    );
    const path = `/receive/users/${Guid}`;
    await postTo(kith(), path, share);
    await kith().settle();
    assert.equal((await contactOf(bob))?.sharing, true);
    await bob.whisper(kith(), contact(bob, false), ann());
    assert.equal((await contactOf(bob))?.sharing, false);
    await unharmed(() => postTo(kith(), path, share));
    assert.equal((await contactOf(bob))?.sharing, false);
    // Sent on purpose it is encrypted again, though the envelope is the same byte for byte.
    await bob.whisper(kith(), contact(bob, true), ann());
    assert.equal((await contactOf(bob))?.sharing, true);
  });

  test("replay of an older profile", async () => {
    const bob = await knownPerson();
    const profile = (firstName: string, editedAt: string): Profile => ({
      type: "profile",
      author: bob.handle,
      editedAt,
      firstName,
      searchable: true,
      public: true,
      nsfw: false,
    });
    const older = profile("Older", "2026-01-01T00:00:00Z");
    await bob.deliver(kith(), older);
    await bob.deliver(kith(), profile("Newer", "2026-01-02T00:00:00Z"));
    await unharmed(() => bob.deliver(kith(), older));
    const { handle } = bob;
    const found = await features().people.find({ handle });
    assert.equal(found?.profile.firstName, "Newer");
  });

  test("replay of an encrypted body has no effect, not even at another endpoint", async () => {
    const bob = await knownPerson();
    const dan = await kith().person();
    const post = podPost(bob, { public: false });
    const { Guid, SerializedPublicKey } = ann().record;
    const body = encryptEnvelope(await bob.seal(post), SerializedPublicKey);
    await postTo(kith(), `/receive/users/${Guid}`, body);
    await kith().settle();
    await unharmed(async () => {
      await postTo(kith(), `/receive/users/${Guid}`, body);
      await postTo(kith(), `/receive/users/${dan.record.Guid}`, body);
    });
    const stored = await features().posts.find({ guid: post.guid });
    assert.ok(stored);
    assert.equal((await dan.call("GET", `/posts/${stored.id}`)).status, 404);
  });

  test("takeover of the guid of a post", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const post = podPost(bob, { text: "bob's" });
    await bob.deliver(kith(), post);
    const mine = await ann().post<PostRecord>("/posts", { post: "ann's" });
    for (const guid of [post.guid, mine.Guid])
      await unharmed(async () => {
        await eve.deliver(kith(), podPost(eve, { guid, text: "eve's" }));
        await eve.whisper(
          kith(),
          podPost(eve, { guid, public: false, text: "eve's" }),
          ann(),
        );
        const { handle } = bob;
        const reshare = podReshare(eve, { author: handle, guid: post.guid });
        await eve.deliver(kith(), { ...reshare, guid });
      });
  });

  test("takeover of the guid of a comment, and of a like", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const { Guid } = await ann().post<PostRecord>("/posts", { post: "x" });
    const comment = await podComment(bob, Guid);
    const like = await podLike(bob, Guid);
    await bob.deliver(kith(), comment);
    await bob.deliver(kith(), like);
    const other = await ann().post<PostRecord>("/posts", { post: "y" });
    await unharmed(async () => {
      for (const parent of [Guid, other.Guid]) {
        const { guid } = comment;
        await eve.deliver(kith(), await podComment(eve, parent, { guid }));
        await eve.deliver(
          kith(),
          await podLike(eve, parent, { guid: like.guid }),
        );
      }
    });
  });

  test("takeover of the guid of a photo", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const guid = newGuid();
    const withPhoto = (by: PodPerson, host: string) => {
      const post = podPost(by);
      const photo = {
        type: "photo" as const,
        guid,
        author: by.handle,
        public: true,
        createdAt: "2020-02-03T04:05:06Z",
        remotePhotoPath: `http://${host}/`,
        remotePhotoName: "x.png",
        statusMessageGuid: post.guid,
      };
      return { ...post, photos: [photo] };
    };
    await bob.deliver(kith(), withPhoto(bob, "bob.example"));
    const photos = () =>
      kith().db.read.selectFrom("photos").selectAll().execute();
    const before = await photos();
    await eve.deliver(kith(), withPhoto(eve, "eve.example"));
    assert.deepEqual(
      (await photos()).filter((one) => one.guid === guid),
      before.filter((one) => one.guid === guid),
    );
  });

  test("takeover of the guid of a person", async () => {
    const bob = await knownPerson();
    const eve = siege.newPerson();
    eve.guid = bob.guid;
    // Its pod serves bob's hCard for this Guid, or eve's: neither makes her him.
    await eve.deliver(kith(), podPost(eve));
    siege.pod().put(`/hcard/users/${eve.guid}`, eve.hcard(), "text/html");
    await eve.deliver(kith(), podPost(eve));
    const { people } = features();
    const owner = await people.find({ guid: bob.guid });
    assert.equal(owner?.handle, bob.handle);
    assert.equal(owner.publicKeyPem.trim(), bob.publicKeyPem.trim());
    const other = await people.find({ handle: eve.handle });
    assert.notEqual(other?.guid, bob.guid);
    // And the Guid of a local person.
    const mallory = siege.newPerson();
    mallory.guid = ann().record.Guid;
    await mallory.deliver(kith(), podPost(mallory));
    const here = await people.find({ guid: ann().record.Guid });
    assert.equal(here?.handle, ann().handle);
  });
});
