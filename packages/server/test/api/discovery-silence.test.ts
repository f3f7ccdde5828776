import assert from "node:assert/strict";
import { afterEach, before, beforeEach, test } from "node:test";
import type { KeyObject } from "node:crypto";
import {
  buildEntity,
  buildEnvelope,
  buildHcard,
  webfingerLinks,
} from "@kith/diaspora";
import { newGuid } from "../../src/lib/guids.ts";
import { takeRsaPair } from "../support/server/rsa-pairs.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { postTo } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";

/** Longer than a look-up that failed is remembered. */
const A_WHILE_MS = HOUR_MS;

/** A server's answer instead of a document. */
type Status = 200 | 404 | 410 | 500;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let ann: TestPerson;
  let bob: RemoteActor;
  let hasCardLink: boolean;
  let actorStatus: Status;
  let cardStatus: Status;
  let privateKey: KeyObject;
  let serial = 0;

  before(async () => {
    ann = await kith().person();
  });
  beforeEach(async () => {
    remote = await RemoteServer.start();
    serial += 1;
    bob = remote.actor(`bob${serial}`);
    hasCardLink = true;
    actorStatus = 200;
    cardStatus = 200;
    speakBoth();
  });
  afterEach(() => remote.close());

  /** Has the server of Bob's speak diaspora*, too. */
  function speakBoth(): void {
    const { origin, answers } = remote;
    const guid = newGuid();
    const pair = takeRsaPair();
    privateKey = pair.privateKey;
    const { publicKeyPem } = pair;
    const links = webfingerLinks({ guid, baseUrl: origin, username: bob.name });
    const imageUrl = "/pictures/bob.png";
    const card = buildHcard({
      guid,
      nickname: bob.name,
      fullName: "Bob",
      firstName: "Bob",
      lastName: "",
      publicKeyPem,
      searchable: true,
      imageUrl,
      imageUrlMedium: imageUrl,
      imageUrlSmall: imageUrl,
      baseUrl: origin,
    });
    const self = {
      rel: "self",
      type: "application/activity+json",
      href: bob.id,
    };
    answers.set("/.well-known/webfinger", (response) =>
      response.end(
        JSON.stringify({
          subject: `acct:${bob.handle}`,
          links: hasCardLink ? [self, ...links] : [self],
        }),
      ),
    );
    answers.set(`/hcard/users/${guid}`, (response) =>
      response.writeHead(cardStatus).end(cardStatus === 200 ? card : ""),
    );
    answers.set(`/users/${bob.name}`, (response) => {
      const type = "application/activity+json";
      response.writeHead(actorStatus, { "content-type": type });
      response.end(actorStatus === 200 ? JSON.stringify(bob.document()) : "");
    });
  }

  const look = async () => {
    const { handle } = bob;
    await ann.call("POST", "/search", { form: { handle } });
    return kith().server.features.people.find({ handle });
  };
  const protocol = async () => (await look())?.protocol;

  test("an actor that does not answer ends nothing; one that is gone does", async () => {
    assert.equal(await protocol(), "activitypub");
    kith().clock.advance(DAY_MS + HOUR_MS);
    actorStatus = 500;
    assert.equal(await protocol(), "activitypub");
    for (const status of [404, 410] as const) {
      kith().clock.advance(DAY_MS + HOUR_MS);
      actorStatus = 200;
      await look();
      kith().clock.advance(DAY_MS + HOUR_MS);
      actorStatus = status;
      assert.equal(await protocol(), "diaspora", String(status));
    }
  });

  test("an actor that does not answer at the first contact counts once it answers", async () => {
    actorStatus = 500;
    assert.equal(await protocol(), "diaspora");
    kith().clock.advance(DAY_MS + HOUR_MS);
    assert.equal(await protocol(), "diaspora", "still silent");
    kith().clock.advance(DAY_MS + HOUR_MS);
    actorStatus = 200;
    assert.equal(await protocol(), "activitypub");
  });

  test("a person known over diaspora* only stays there when an actor appears", async () => {
    actorStatus = 404;
    assert.equal(await protocol(), "diaspora");
    kith().clock.advance(DAY_MS + HOUR_MS);
    actorStatus = 200;
    assert.equal(await protocol(), "diaspora");
  });

  const deliverPost = async () => {
    const post = podPost(bob);
    const payloadXml = buildEntity(post);
    const body = await buildEnvelope({
      payloadXml,
      sender: bob.handle,
      privateKey,
    });
    assert.equal(await postTo(kith(), "/receive/public", body), 202);
    await kith().settle();
    const { guid } = post;
    return (await kith().server.features.posts.find({ guid })) !== undefined;
  };

  test("an hCard that fails once does not cut off its owner", async () => {
    cardStatus = 500;
    assert.equal((await look())?.hasDiasporaKey, false);
    cardStatus = 200;
    kith().clock.advance(A_WHILE_MS);
    assert.ok(await deliverPost());
  });

  test("a key that is not there is not asked for with every message", async () => {
    hasCardLink = false;
    await look();
    await deliverPost();
    const asked = remote.asked.length;
    await deliverPost();
    await deliverPost();
    assert.equal(remote.asked.length, asked);
  });

  test("the pictures of an hCard are found from where it lies", async () => {
    actorStatus = 404;
    const person = await look();
    assert.equal(person?.profile.imageUrl, `${remote.origin}/pictures/bob.png`);
  });

  test("an unknown person's actor and WebFinger are fetched once each", async () => {
    const bea = remote.actor("bea");
    remote.answers.delete("/.well-known/webfinger");
    await bea.deliver(
      kith(),
      bea.activity("Create", { object: bea.note(), to: [ann.handle] }),
    );
    const count = (part: string) =>
      remote.asked.filter(({ path }) => path.startsWith(part)).length;
    assert.deepEqual(
      [count("/users/bea"), count("/.well-known/webfinger")],
      [1, 1],
    );
  });
});
