import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  encryptEnvelope,
  parseEntity,
  parseEnvelope,
  parseHcard,
  parsePersonStream,
  verifyEnvelope,
} from "@kith/diaspora";
import type { FastifyInstance } from "fastify";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import type { Person } from "../../../features/people/index.ts";
import { createApp } from "../../../http/app.ts";
import { NO_LIMITS } from "../../../lib/limits/limits.ts";
import { silentLog } from "../../../observability/log.ts";
import { newGuid } from "../../../lib/guids.ts";
import { createSignatureFailureLimiter } from "../../inbound/signature-failure-limiter.ts";
import { publish, reshareOf, statusMessage } from "../entities.fixture.ts";
import { hangPicture } from "../pictures.fixture.ts";
import {
  openHomeServer,
  seal,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../../test/support/remote/home-server.ts";
import { registerDiasporaRoutes } from "./receive-routes.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let app: FastifyInstance;
  let alice: Person;
  let bob: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
    app = createApp({
      log: silentLog(),
      trustedProxies: [],
      notFound: async (_request, reply) => reply.code(404).send(),
    });
    const unproven = createSignatureFailureLimiter({
      ...home.deps,
      limits: NO_LIMITS,
    });
    registerDiasporaRoutes(app, { ...home.deps, unproven });
  });
  after(async () => {
    await app.close();
    await home.close();
  });

  const post = (url: string, payload: string, type = "text/plain") =>
    app.inject({
      method: "POST",
      url,
      payload,
      headers: { "content-type": type },
    });
  const get = (url: string, accept = "*/*") =>
    app.inject({ method: "GET", url, headers: { accept } });

  const stored = async () =>
    home.deps.db.read
      .selectFrom("inbound_messages")
      .select(["sender", "verified", "recipient_user_id"])
      .orderBy("id")
      .execute();

  test("all messages are answered alike, and unreadable ones are not kept", async () => {
    const before = (await stored()).length;
    const forged = (await seal(statusMessage(bob), bob)).replace(
      /<me:sig key_id="([^"]+)">[^<]+/,
      '<me:sig key_id="$1">AAAA',
    );
    const own = await seal(statusMessage(bob), {
      ...bob,
      handle: alice.handle,
    });
    for (const body of ["", "rubbish", "<xml/>", "{}", forged, own]) {
      const answer = await post("/receive/public", body);
      assert.deepEqual([answer.statusCode, answer.body], [202, ""]);
    }
    assert.equal((await stored()).length, before);
  });

  test("a public post of somebody known is there at once, and only once", async () => {
    const before = (await stored()).length;
    const message = statusMessage(bob);
    const envelope = await seal(message, bob);
    const url = "/receive/public";
    for (const answer of [await post(url, envelope), await post(url, envelope)])
      assert.equal(answer.statusCode, 202);
    const found = await home.deps.posts.find({ guid: message.guid });
    assert.equal(found?.personId, bob.person.id);
    assert.equal(found.text, message.text);
    assert.equal((await stored()).length, before, "nothing is left to do");
  });

  test("a post that is not public, or not the sender's, is left to the worker", async () => {
    const carol = await home.remotePerson("carol");
    for (const message of [
      { ...statusMessage(bob), public: false },
      statusMessage(carol),
    ]) {
      const before = (await stored()).length;
      await post("/receive/public", await seal(message, bob));
      assert.equal((await stored()).length, before + 1);
      const found = await home.deps.posts.find({ guid: message.guid });
      assert.equal(found, undefined);
    }
  });

  test("an envelope of somebody known is verified at once, of others later", async () => {
    const message = reshareOf({ guid: newGuid(), author: bob.handle }, bob);
    const envelope = await seal(message, bob);
    const type = "application/magic-envelope+xml";
    assert.equal(
      (await post("/receive/public/", envelope, type)).statusCode,
      202,
    );
    const known = (await stored()).at(-1);
    assert.equal(known?.sender, bob.handle);
    assert.ok(known.verified);
    const stranger = { ...bob, handle: "stranger@far.example" };
    await post(
      "/receive/public",
      await seal(statusMessage(stranger), stranger),
    );
    const unknown = (await stored()).at(-1);
    assert.equal(unknown?.sender, stranger.handle);
    assert.ok(!unknown.verified);
  });

  test("a message for a person is kept once, one for nobody is not found", async () => {
    const url = `/receive/users/${alice.guid}`;
    const envelope = await seal(statusMessage(bob), bob);
    const body = encryptEnvelope(envelope, alice.publicKeyPem);
    assert.equal((await post(url, body, "application/json")).statusCode, 202);
    assert.equal((await stored()).at(-1)?.recipient_user_id, alice.userId);
    const { length } = await stored();
    assert.equal((await post(`${url}/`, body)).statusCode, 202);
    assert.equal((await stored()).length, length);
    for (const guid of [bob.person.guid, "0123456789abcdef", "%25"]) {
      const answer = await post(`/receive/users/${guid}`, body);
      assert.equal(answer.statusCode, 404);
    }
  });

  test("a message over two megabytes is too large", async () => {
    const body = "x".repeat(2 * 1024 * 1024 + 1);
    assert.equal((await post("/receive/public", body)).statusCode, 413);
  });

  test("the hCard of a person here can be read", async () => {
    const answer = await get(`/hcard/users/${alice.guid}`);
    assert.match(String(answer.headers["content-type"]), /^text\/html/);
    const card = parseHcard(answer.body);
    assert.equal(card.guid, alice.guid);
    assert.equal(card.publicKeyPem.trim(), alice.publicKeyPem.trim());
    const other = await get(`/hcard/users/${bob.person.guid}`);
    assert.equal(other.statusCode, 404);
  });

  test("the stream lists public posts alone, and shows people the page", async () => {
    const shown = await publish(home, alice);
    await publish(home, alice, bob.person);
    const url = `/people/${alice.guid}/stream`;
    const answer = await get(url, "application/json");
    const entries = parsePersonStream(answer.body);
    assert.deepEqual(
      entries.map(({ guid }) => guid),
      [shown.guid],
    );
    const page = await get(url, "text/html");
    assert.equal(page.statusCode, 302);
    assert.equal(page.headers.location, `/people/${alice.guid}`);
  });

  test("public posts are handed out signed, foreign ones by their own server, others not", async () => {
    const mine = await publish(home, alice);
    const answer = await get(`/fetch/post/${mine.guid}`);
    const envelope = parseEnvelope(answer.body);
    const { payloadXml } = await verifyEnvelope(envelope, alice.publicKeyPem);
    const entity = parseEntity(payloadXml);
    assert.ok("guid" in entity && entity.guid === mine.guid);

    const foreign = statusMessage(bob);
    await home.receivePublicly(foreign, bob);
    const moved = await get(`/fetch/post/${foreign.guid}`);
    assert.equal(moved.statusCode, 302);
    const there = `https://bob.example/fetch/post/${foreign.guid}`;
    assert.equal(moved.headers.location, there);

    const limited = await publish(home, alice, bob.person);
    const photo = await hangPicture(home, alice, limited.id);
    for (const path of [
      `photo/${photo.guid}`,
      `post/${limited.guid}`,
      `reshare/${mine.guid}`,
      `profile/${mine.guid}`,
      "post/x",
    ])
      assert.equal((await get(`/fetch/${path}`)).statusCode, 404);
  });

  const fetched = async (type: string, guid: string) => {
    const { body, statusCode } = await get(`/fetch/${type}/${guid}`);
    assert.equal(statusCode, 200, type);
    const envelope = parseEnvelope(body);
    const { payloadXml } = await verifyEnvelope(envelope, alice.publicKeyPem);
    return parseEntity(payloadXml);
  };

  test("a picture is handed out by itself, a poll and an event with their post", async () => {
    const { posts, polls, events } = home.features;
    const author = {
      userId: alice.userId ?? assert.fail(),
      personId: alice.id,
    };
    const attach = polls.ask({ question: "Tea?", answers: ["yes", "no"] });
    const asking = await posts.publish({
      author,
      text: "Well",
      ...(attach && { attach }),
    });
    const poll = await polls.find({ postId: asking.id });
    const picture = await hangPicture(home, alice, asking.id);
    const event = await events.create({
      owner: author,
      start: "2030-01-01T00:00:00Z",
      end: "2030-01-01T01:00:00Z",
      summary: "Feast",
      announce: true,
    });
    const photo = await fetched("photo", picture.guid);
    assert.equal(photo.type, "photo");
    assert.equal(photo.statusMessageGuid, asking.guid);
    assert.equal(photo.text, "A cat");
    const own = await fetched("poll", poll?.guid ?? assert.fail());
    assert.equal(own.type, "status_message");
    assert.equal(own.guid, asking.guid);
    const feast = await fetched("event", event.guid);
    assert.equal(feast.type, "status_message");
    assert.equal(feast.event?.guid, event.guid);
  });

  test("foreign things of every kind are had from their author's server, whatever their Guids hold", async () => {
    const post = { ...statusMessage(bob), guid: `a@b:c.${newGuid()}` };
    const photo = {
      type: "photo" as const,
      guid: `p@b:c.${newGuid()}`,
      author: bob.handle,
      public: true,
      remotePhotoPath: "https://pictures.example/",
      remotePhotoName: "1.jpg",
      statusMessageGuid: post.guid,
    };
    const poll = {
      type: "poll" as const,
      guid: newGuid(),
      question: "?",
      pollAnswers: ["a", "b"].map((answer) => ({
        type: "poll_answer" as const,
        guid: newGuid(),
        answer,
      })),
    };
    const event = {
      type: "event" as const,
      author: bob.handle,
      guid: newGuid(),
      summary: "Feast",
      start: "2030-01-01T00:00:00Z",
      allDay: false,
    };
    const whole = { ...post, photos: [photo], poll, event };
    await home.receivePublicly(whole, bob);
    for (const [type, guid] of [
      ["post", post.guid],
      ["status_message", post.guid],
      ["photo", photo.guid],
      ["poll", poll.guid],
      ["event", event.guid],
    ] as const)
      for (const written of [guid, encodeURIComponent(guid)]) {
        const { statusCode, headers } = await get(`/fetch/${type}/${written}`);
        assert.equal(statusCode, 302, type);
        const there = `https://bob.example/fetch/${type}/${guid}`;
        assert.equal(headers.location, there);
      }
  });
});
