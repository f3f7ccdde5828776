import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { ServerResponse } from "node:http";
import { BODY_TIMEOUT_MS } from "../../packages/server/src/http/load/limit-body-time.ts";
import {
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { besiege } from "../support/hostile.ts";

const HUGE = 50 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, "x");

const bomb = () => {
  const packed = gzipSync(Buffer.alloc(HUGE, "x"));
  return (response: ServerResponse) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
};
const flood = () => (response: ServerResponse) => {
  const go = () => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on("drain", go);
  go();
};

forEachDatabase((kind) => {
  const siege = besiege(kind);
  const { kith, ann, knownPerson, unharmed } = siege;
  const endpoints = () => [
    "/receive/public",
    `/receive/users/${ann().record.Guid}`,
  ];

  function open(head: string): Socket {
    const { hostname, port } = new URL(kith().baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(head);
    return socket;
  }
  const head = (path: string, ...lines: string[]) =>
    [`POST ${path} HTTP/1.1`, "Host: kith", ...lines, "", ""].join("\r\n");

  /** Sends until the other side stops reading, or everything is sent. @returns its answer */
  async function pour(head: string, frame: (b: Buffer) => Buffer[]) {
    const socket = open(head);
    let answer = "";
    socket.on("data", (data) => (answer += data.toString("latin1")));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    for (let sent = 0; sent < HUGE && !socket.destroyed; sent += CHUNK.length) {
      let isFree = true;
      for (const part of frame(CHUNK)) isFree = socket.write(part);
      if (!isFree)
        await Promise.race([once(socket, "drain").catch(() => 0), closed]);
    }
    socket.end();
    await closed;
    return answer;
  }
  const isRefused = (answer: string) =>
    // Cut off, or answered with the reason.
    answer === "" || /^HTTP\/1\.1 4(?:00|13) /.test(answer);

  test("a body of 50 MB with an honest Content-Length", async () => {
    for (const path of endpoints())
      await unharmed(async () => {
        const length = `Content-Length: ${HUGE}`;
        const answer = await pour(head(path, length), (data) => [data]);
        assert.ok(isRefused(answer), answer.slice(0, 200));
      });
  });

  test("a body of 50 MB with a lying Content-Length", async () => {
    for (const path of endpoints())
      await unharmed(async () => {
        const length = "Content-Length: 10";
        const answer = await pour(head(path, length), (data) => [data]);
        // Ten bytes are an ordinary message; the rest is not a request.
        assert.match(answer, /^(?:HTTP\/1\.1 (?:202|400) |$)/);
      });
  });

  test("a body of 50 MB in chunks, without any length", async () => {
    for (const path of endpoints())
      await unharmed(async () => {
        const size = Buffer.from(`${CHUNK.length.toString(16)}\r\n`);
        const answer = await pour(
          head(path, "Transfer-Encoding: chunked"),
          (data) => [size, data, Buffer.from("\r\n")],
        );
        assert.ok(isRefused(answer), answer.slice(0, 200));
      });
  });

  test("a compressed body is not decompressed", async () => {
    const body = gzipSync(Buffer.alloc(HUGE, "x"));
    assert.ok(body.length < 100_000);
    for (const path of endpoints())
      await unharmed(async () => {
        const { status } = await fetch(kith().baseUrl + path, {
          method: "POST",
          headers: { "content-encoding": "gzip" },
          body: new Uint8Array(body),
        });
        assert.equal(status, 202);
      });
  });

  test("slow bodies do not delay others, and time out", async () => {
    const sockets = endpoints().flatMap((path) =>
      Array.from({ length: 100 }, () =>
        open(`${head(path, "Content-Length: 1000000")}<me:env`),
      ),
    );
    await unharmed(async () => {
      for (const socket of sockets) socket.write(" ");
    });
    const bob = await knownPerson();
    const post = podPost(bob);
    await bob.deliver(kith(), post);
    assert.ok(await kith().server.features.posts.find({ guid: post.guid }));
    // They are ended: packages/server/src/http/load/limit-body-time.test.ts
    assert.ok(BODY_TIMEOUT_MS <= 60_000);
    for (const socket of sockets) socket.destroy();
    assert.equal((await ann().call("GET", "/posts")).status, 200);
  });
});

// Each with its own servers: a failing one is suspended for some minutes.
forEachDatabase((kind) => {
  for (const [name, make] of Object.entries({
    "gzip bombs": bomb,
    "documents without end": flood,
  }))
    describe(name, () => {
      const { kith, ann, pod, knownPerson, newPerson, unharmed } =
        besiege(kind);
      test(`${name}: in WebFinger, hCard, fetch and stream`, async () => {
        const [bob, eve] = [await knownPerson(), await knownPerson()];
        const root = podPost(eve);
        const reshare = podReshare(bob, root);
        const [one, two, three] = [newPerson(), newPerson(), newPerson()];
        pod().serves.set(`/fetch/post/${root.guid}`, make());
        pod().serves.set(`/hcard/users/${one.guid}`, make());
        pod().serves.set(`/people/${three.guid}/stream`, make());
        await unharmed(async () => {
          await bob.deliver(kith(), reshare);
          await one.deliver(kith(), podPost(one));
          pod().serves.set("/.well-known/webfinger", make());
          await two.deliver(kith(), podPost(two));
          pod().serves.delete("/.well-known/webfinger");
        });
        await ann().post("/search", { handle: three.handle });
        await kith().settle();
        for (const path of [
          `/fetch/post/${root.guid}`,
          `/hcard/users/${one.guid}`,
          `/people/${three.guid}/stream`,
        ])
          assert.ok(pod().countOf(path) >= 1, path);
        assert.equal((await ann().call("GET", "/posts")).status, 200);
      });
    });

  describe("slow documents", () => {
    const { kith, pod, knownPerson, newPerson, unharmed } = besiege(kind);
    test("slow documents end at the deadline, and delay no others", async () => {
      const [bob, eve] = [await knownPerson(), await knownPerson()];
      const root = podPost(eve);
      const [one, two] = [newPerson(), newPerson()];
      const drip = (response: ServerResponse) => {
        const timer = setInterval(() => response.write(" "), 500);
        response.on("close", () => clearInterval(timer));
      };
      pod().serves.set(`/fetch/post/${root.guid}`, drip);
      pod().serves.set(`/hcard/users/${one.guid}`, drip);
      const quick = podPost(eve);
      await unharmed(async () => {
        for (const [by, entity] of [
          [bob, podReshare(bob, root)],
          [one, podPost(one)],
        ] as const)
          await fetch(`${kith().baseUrl}/receive/public`, {
            method: "POST",
            body: await by.seal(entity),
          });
      });
      await eve.deliver(kith(), quick);
      await two.deliver(kith(), podPost(two));
      const { posts, people } = kith().server.features;
      assert.ok(await posts.find({ guid: quick.guid }));
      assert.ok(await people.find({ handle: two.handle }));
      assert.equal(await people.find({ handle: one.handle }), undefined);
      assert.equal(await posts.find({ guid: root.guid }), undefined);
    });
  });
});
