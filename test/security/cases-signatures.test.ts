import assert from "node:assert/strict";
import { request } from "node:http";
import { before, describe, test } from "node:test";
import {
  CONTENT_TYPE,
  signCavage,
  signRfc9421,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { postTo } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import { create, useCaseServers } from "./case-town.ts";

type Signing = {
  readonly covers?: readonly string[];
  /** The key id, if it differs from the sender's. */
  readonly keyId?: string;
  readonly atMs?: number;
  readonly expiresInMs?: number;
  readonly url?: string;
};

const HOUR = 3_600_000;
const SCHEMES = ["draft-cavage", "RFC 9421"] as const;
type Scheme = (typeof SCHEMES)[number];

/** The parts that a signature of a POST must cover, in the terms of each scheme. */
const NEEDED: Readonly<Record<Scheme, readonly string[]>> = {
  "draft-cavage": ["(request-target)", "host", "date", "digest"],
  "RFC 9421": ["@method", "@target-uri", "content-digest"],
};

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, honest, mallory, meet, followed, textOf, unharmed, goodPod } =
    town;
  const inbox = () => `${kith().baseUrl}/api/v1/ap/inbox`;
  let alice: RemoteActor;
  before(async () => {
    alice = await followed(honest());
  });

  const note = () => create(alice, alice.note({ content: "<p>signed</p>" }));
  const bytesOf = (activity: JsonObject) =>
    Buffer.from(JSON.stringify(activity));

  function sign(
    scheme: Scheme,
    body: Buffer,
    { covers, keyId = alice.keyId, atMs = 0, url, expiresInMs }: Signing = {},
    by = alice,
  ): Promise<Record<string, string>> {
    const now = new Date(kith().clock.now().getTime() + atMs);
    const message = {
      method: "POST",
      url: url ?? inbox(),
      headers: { "content-type": CONTENT_TYPE },
      body,
      keyId,
      privateKey: by.privateKey,
      now,
    };
    const names = covers && [...covers];
    if (scheme === "draft-cavage")
      return signCavage({ ...message, ...(names && { signedHeaders: names }) });
    const expires = expiresInMs && new Date(now.getTime() + expiresInMs);
    return signRfc9421({
      ...message,
      ...(names && { components: names }),
      ...(expires && { expires }),
    });
  }

  /** Sends exactly these headers, including the Host. */
  function send(
    headers: Record<string, string>,
    body: Buffer,
    path = "/api/v1/ap/inbox",
    method = "POST",
  ): Promise<number> {
    const { hostname, port } = new URL(kith().baseUrl);
    const length = { "content-length": String(body.length) };
    return new Promise((done, fail) => {
      request(
        { hostname, port, path, method, headers: { ...headers, ...length } },
        (response) => {
          response.resume();
          response.on("end", () => done(response.statusCode ?? 0));
        },
      )
        .on("error", fail)
        .end(body);
    });
  }

  for (const scheme of SCHEMES)
    describe(`case 03: a signature by ${scheme} must cover all relevant parts`, () => {
      const needed = NEEDED[scheme];

      test("case 03: with all of them, it is accepted", async () => {
        const body = bytesOf(note());
        assert.equal(
          await send(await sign(scheme, body, { covers: needed }), body),
          202,
        );
      });

      for (const left of needed)
        test(`case 03: without ${left} it is refused`, () =>
          unharmed(async () => {
            const body = bytesOf(note());
            const covers = needed.filter((name) => name !== left);
            const headers = await sign(scheme, body, { covers });
            assert.equal(await send(headers, body), 401);
          }));

      test("case 03: for another body, host, path or method it is refused", () =>
        unharmed(async () => {
          const body = bytesOf(note());
          const headers = await sign(scheme, body, { covers: needed });
          assert.equal(await send(headers, bytesOf(note())), 401, "body");
          const digests = ["digest", "content-digest"];
          const bare = Object.fromEntries(
            Object.entries(headers).filter(([name]) => !digests.includes(name)),
          );
          assert.equal(await send(bare, body), 401, "no digest");
          const path = "/api/v0/ap/inbox";
          assert.equal(await send(headers, body, path), 401, "path");
          const other = {
            covers: needed,
            url: "http://other.example/api/v1/ap/inbox",
          };
          const elsewhere = await sign(scheme, body, other);
          assert.equal(await send(elsewhere, body), 401, "host");
          const { host = "" } = headers;
          const moved = { ...elsewhere, host };
          assert.equal(await send(moved, body), 401, "host, changed");
        }));
    });

  test("case 06: a valid signature proves nothing in another's name, and is refused before any effect", async () => {
    const eve = await meet(mallory());
    // One followed by no local person, and one followed by ann.
    for (const victim of [await meet(honest()), alice])
      for (const scheme of SCHEMES)
        await unharmed(async () => {
          for (const type of [
            "Follow",
            "Like",
            "Block",
            "Move",
            "Undo",
            "Accept",
          ]) {
            const object = `${kith().baseUrl}/api/v1/ap/person/ann`;
            const body = bytesOf(victim.activity(type, { object }));
            for (const keyId of [eve.keyId, victim.keyId]) {
              const headers = await sign(scheme, body, { keyId }, eve);
              assert.equal(await send(headers, body), 401, `${type} ${keyId}`);
            }
          }
        });
  });

  for (const scheme of SCHEMES)
    test(`case 17: a request signed by ${scheme} counts once, within its validity`, async () => {
      const activity = note();
      const body = bytesOf(activity);
      const headers = await sign(scheme, body);
      assert.equal(await send(headers, body), 202);
      await kith().settle();
      const { object } = activity;
      assert.equal(await textOf(idOf(object as JsonObject)), "signed");
      await unharmed(async () => {
        assert.equal(await send(headers, body), 202);
        await kith().settle();
        for (const atMs of [-13 * HOUR, 2 * HOUR]) {
          const fresh = bytesOf(note());
          const then = await sign(scheme, fresh, { atMs });
          assert.equal(await send(then, fresh), 401, `${atMs}`);
        }
      });
    });

  test("case 17: a signature with an expiry expires then", () =>
    unharmed(async () => {
      const body = bytesOf(note());
      const past = { atMs: -2 * HOUR, expiresInMs: HOUR };
      const headers = await sign("RFC 9421", body, past);
      assert.equal(await send(headers, body), 401);
    }));

  test("case 17: a replayed diaspora* envelope changes nothing", async () => {
    const bob = goodPod().person("bob");
    await kith().server.discovery.byHandle(bob.handle);
    const { ID } = await town
      .ann()
      .post<{ ID: number }>("/aspects", { name: "x" });
    const { ID: bobHere } = await town
      .ann()
      .post<{ ID: number }>("/search", { handle: bob.handle });
    await town.ann().post(`/people/${bobHere}/aspects/${ID}`);
    await kith().settle();
    const post = podPost(bob);
    const envelope = await bob.seal(post);
    assert.equal(await postTo(kith(), "/receive/public", envelope), 202);
    await kith().settle();
    const { posts } = kith().server.features;
    assert.ok(await posts.find({ guid: post.guid }));
    await unharmed(async () => {
      for (let times = 0; times < 3; times += 1)
        assert.equal(await postTo(kith(), "/receive/public", envelope), 202);
    });
  });
});
