import assert from "node:assert/strict";
import { test } from "node:test";
import { buildEntity, encryptEnvelope, type Contact } from "@kith/diaspora";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { takeRsaPair } from "../../packages/server/test/support/server/rsa-pairs.ts";
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
  const { kith, ann, pod, knownPerson, farPerson, newPerson, unharmed } = siege;
  const features = () => kith().server.features;

  /** An envelope to everyone and, encrypted, to ann. */
  async function deliver(envelope: string): Promise<void> {
    const { Guid, SerializedPublicKey } = ann().record;
    assert.equal(await postTo(kith(), "/receive/public", envelope), 202);
    const body = encryptEnvelope(envelope, SerializedPublicKey);
    assert.equal(await postTo(kith(), `/receive/users/${Guid}`, body), 202);
    await kith().settle();
  }

  test("key_id of another: a claimed sender who did not sign", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const { handle } = bob;
    const { privateKey } = eve;
    await unharmed(async () =>
      deliver(await bob.seal(podPost(bob), { sender: handle, privateKey })),
    );
    // The same in the name of a local person, and of an unknown one.
    for (const sender of [ann().handle, `ghost@${pod().host}`])
      await unharmed(async () =>
        deliver(
          await eve.seal(podPost(eve, { author: sender }), {
            sender,
            privateKey,
          }),
        ),
      );
  });

  test("an envelope signed by the right person with the wrong author", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    await unharmed(async () => deliver(await eve.seal(podPost(bob))));
    const { handle: author } = bob;
    const things = [
      { type: "account_deletion", author },
      {
        type: "profile",
        author,
        firstName: "Eve",
        searchable: true,
        public: true,
        nsfw: false,
      },
    ] as const;
    for (const thing of things)
      await unharmed(async () => deliver(await eve.seal(thing)));
  });

  test("key substitution: an hCard with another key later changes nothing", async () => {
    const bob = await knownPerson();
    const real = bob.privateKey;
    Object.assign(bob, takeRsaPair());
    await unharmed(async () => {
      await bob.deliver(kith(), podPost(bob));
      kith().clock.advance(25 * 3_600_000);
      const { discovery } = kith().server;
      assert.ok(await discovery.byHandle(bob.handle));
      await bob.deliver(kith(), podPost(bob));
    });
    bob.privateKey = real;
    const post = podPost(bob);
    await bob.deliver(kith(), post);
    assert.ok(await features().posts.find({ guid: post.guid }));
  });

  test("key substitution: a WebFinger answer cannot give a known handle another key", async () => {
    const [bob, eve] = [await knownPerson(), newPerson()];
    pod().put(
      "/.well-known/webfinger",
      eve.webfinger().replaceAll(eve.handle, bob.handle),
      "application/jrd+json",
    );
    const { handle: sender } = bob;
    const { privateKey } = eve;
    await unharmed(async () =>
      deliver(await bob.seal(podPost(bob), { sender, privateKey })),
    );
    pod().serves.delete("/.well-known/webfinger");
  });

  test("reshare with a false root_author", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const known = podPost(eve);
    await eve.deliver(kith(), known);
    const { guid } = known;
    await unharmed(async () =>
      deliver(await bob.seal(podReshare(bob, { guid, author: bob.handle }))),
    );
    // The same for a missing root: the server that serves it does not own it.
    const hidden = podPost(eve);
    pod().shelve("post", hidden.guid, await eve.seal(hidden));
    const reshare = podReshare(bob, { ...hidden, author: bob.handle });
    await deliver(await bob.seal(reshare));
    assert.equal(
      await features().posts.find({ guid: reshare.guid }),
      undefined,
    );
  });

  test("nested photo with another author", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const post = podPost(eve);
    const photo = {
      type: "photo" as const,
      guid: newGuid(),
      author: eve.handle,
      public: true,
      createdAt: "2020-02-03T04:05:06Z",
      remotePhotoPath: "http://eve.example/",
      remotePhotoName: "x.png",
      statusMessageGuid: post.guid,
    };
    const own = { ...post, photos: [photo] };
    // Eve's own message is valid, with bob's name on the photo.
    const xml = buildEntity(own);
    const at = xml.lastIndexOf(eve.handle);
    assert.ok(at > xml.indexOf("<photo>"));
    const forged =
      xml.slice(0, at) + bob.handle + xml.slice(at + eve.handle.length);
    await unharmed(async () => deliver(await eve.seal(forged)));
  });

  test("contact for another recipient", async () => {
    const bob = await knownPerson();
    const dan = await kith().person();
    const contact: Contact = {
      type: "contact",
      author: bob.handle,
      recipient: dan.handle,
      following: true,
      sharing: true,
      blocking: false,
    };
    await unharmed(() => bob.whisper(kith(), contact, ann()));
    await unharmed(() => bob.deliver(kith(), contact));
  });

  test("retraction by a third person", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const mine = await ann().post<PostRecord>("/posts", { post: "mine" });
    const post = podPost(bob);
    const comment = await podComment(bob, mine.Guid);
    const like = await podLike(bob, mine.Guid);
    for (const entity of [post, comment, like])
      await bob.deliver(kith(), entity);
    const targets = [
      ["Post", post.guid],
      ["StatusMessage", post.guid],
      ["Post", mine.Guid],
      ["Comment", comment.guid],
      ["Like", like.guid],
      ["Person", bob.guid],
      ["Person", ann().record.Guid],
    ] as const;
    for (const [type, guid] of targets)
      await unharmed(async () => {
        await deliver(await eve.seal(podRetraction(eve, type, guid)));
        // Whatever author the message names.
        await deliver(await eve.seal(podRetraction(bob, type, guid)));
      });
    // The author of the comment does not own the post.
    await unharmed(async () =>
      deliver(await bob.seal(podRetraction(bob, "Post", mine.Guid))),
    );
  });

  test("relayable from a third server", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const zed = await farPerson();
    const post = podPost(bob);
    await bob.deliver(kith(), post);
    const mine = await ann().post<PostRecord>("/posts", { post: "mine" });
    const comment = await podComment(zed, post.guid);
    const onMine = await podComment(zed, mine.Guid);
    const like = await podLike(zed, post.guid);
    const likeOfMine = await podLike(zed, mine.Guid);
    for (const entity of [comment, onMine, like, likeOfMine])
      await unharmed(async () => deliver(await eve.seal(entity)));
    // Nor from its own author, if the root is elsewhere.
    await unharmed(async () => deliver(await zed.seal(comment)));
  });

  test("relayable with another's signature, or with none", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const post = podPost(bob);
    await bob.deliver(kith(), post);
    const forged = await podComment(
      { handle: eve.handle, privateKey: bob.privateKey } as PodPerson,
      post.guid,
    );
    await unharmed(async () => deliver(await bob.seal(forged)));
    const { signed, ...unsigned } = await podComment(eve, post.guid);
    assert.ok(signed);
    await unharmed(async () => deliver(await bob.seal(unsigned)));
    const properties = signed.properties.map(
      ([name, value]): [string, string] => [
        name,
        name === "text" ? "altered" : value,
      ],
    );
    const altered = { ...unsigned, signed: { ...signed, properties } };
    await unharmed(async () => deliver(await bob.seal(altered)));
  });

  test("decryption oracle: every fault gets the same answer and the same record", async () => {
    const bob = await knownPerson();
    const { Guid, SerializedPublicKey } = ann().record;
    const good = encryptEnvelope(
      await bob.seal(podPost(bob, { public: false })),
      SerializedPublicKey,
    );
    const other = encryptEnvelope("x", takeRsaPair().publicKeyPem);
    const { aes_key, encrypted_magic_envelope } = JSON.parse(good) as {
      aes_key: string;
      encrypted_magic_envelope: string;
    };
    const flip = (base64: string, at: number) => {
      const bytes = Buffer.from(base64, "base64");
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes.toString("base64");
    };
    const json = (key: string, text: string) =>
      JSON.stringify({ aes_key: key, encrypted_magic_envelope: text });
    const wrong = [
      "not json",
      "{}",
      other,
      json(flip(aes_key, 0), encrypted_magic_envelope),
      json(flip(aes_key, 255), encrypted_magic_envelope),
      json("AAAA", encrypted_magic_envelope),
      json(aes_key, flip(encrypted_magic_envelope, 0)),
      json(aes_key, encrypted_magic_envelope.slice(0, -4)),
      json(aes_key, "AAAA"),
      json(aes_key, ""),
    ];
    const countMessages = async () => {
      const { read } = kith().db;
      const rows = await read
        .selectFrom("inbound_messages")
        .select("id")
        .execute();
      return rows.length;
    };
    const before = await countMessages();
    const answers = new Set<string>();
    await unharmed(async () => {
      for (const body of wrong) {
        const response = await fetch(
          `${kith().baseUrl}/receive/users/${Guid}`,
          { method: "POST", body },
        );
        const headers = [...response.headers.keys()].sort().join(",");
        answers.add(`${response.status} ${await response.text()} ${headers}`);
      }
    });
    assert.equal(answers.size, 1, [...answers].join("\n"));
    assert.match([...answers][0] ?? "", /^202 {2}/);
    assert.equal(await countMessages(), before, "none of them is kept");
  });
});
