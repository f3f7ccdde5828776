import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  useTestServer,
  type Handler,
} from "../../lib/http-client/guarded-fetch.fixture.ts";
import { systemClock } from "../../lib/time/clock.ts";
import {
  createProxyAddresses,
  createRemoteMedia,
  MAX_PICTURE_BYTES,
} from "./index.ts";

const PNG = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
  Buffer.alloc(1_000, "x"),
]);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DOCUMENT = "<svg xmlns='http://www.w3.org/2000/svg'/>";

const answer =
  (type: string, body: Buffer | string, status = 200): Handler =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": type }).end(body);
const PICTURE = answer("image/png", PNG);

const redirectTo =
  (location: string): Handler =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

/** Sends bytes until the other side hangs up. */
const without =
  (end: { readonly everyMs: number }, first: Buffer): Handler =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "image/png" });
    response.write(first);
    const timer = setInterval(
      () => response.write("x".repeat(100_000)),
      end.everyMs,
    );
    response.on("close", () => clearInterval(timer));
  };

describe("pictures of other servers", () => {
  const remote = useTestServer();
  const addresses = createProxyAddresses(
    randomBytes(32),
    "https://kith.example",
  );
  let root: string;
  let folder: string;
  let folders = 0;
  let nowMs: number;
  let refused: Set<string>;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), "kith-remote-media-"));
  });
  after(() => rm(root, { recursive: true }));
  beforeEach(() => {
    folders += 1;
    folder = path.join(root, String(folders));
    nowMs = systemClock.now().getTime();
    refused = new Set();
  });

  const start = () =>
    createRemoteMedia({
      addresses,
      fetch: remote.open,
      mayShow: async (url) => !refused.has(new URL(url).hostname),
      folder,
      maxBytes: 64 * 1024 * 1024,
      clock: { now: () => new Date(nowMs) },
      timeoutMs: 500,
    });

  async function load(
    media: ReturnType<typeof start>,
    url: string,
  ): Promise<Buffer | undefined> {
    const { pathname } = new URL(addresses.addressOf(url));
    const [, , signature = "", encoded = ""] = pathname.split("/");
    const found = await media.find(signature, encoded);
    const opened = await found?.open();
    return opened && buffer(opened.stream);
  }

  const storedFiles = async () =>
    (await readdir(folder, { recursive: true }).catch(() => [])).filter(
      (name) => name.length > 2,
    );

  test("one is fetched once, for all readers together, and kept over a restart", async () => {
    remote.handler = PICTURE;
    const media = start();
    const url = remote.at("/a.png", "pics.example");
    for (const round of [media, media, start()]) {
      const loaded = await Promise.all(
        Array.from({ length: 20 }, () => load(round, url)),
      );
      for (const bytes of loaded) assert.deepEqual(bytes, PNG);
    }
    assert.equal(remote.requests.length, 1);
    const { accept, host, connection, ...more } =
      remote.requests[0]?.headers ?? {};
    assert.match(accept ?? "", /^image\//);
    assert.deepEqual(Object.keys(more).sort(), [
      "accept-encoding",
      "user-agent",
    ]);
    assert.equal(more["user-agent"], "Kith/test");
  });

  test("an address that was not signed here fetches nothing", async () => {
    remote.handler = PICTURE;
    const media = start();
    const encoded = Buffer.from(remote.at("/a.png")).toString("base64url");
    for (const signature of ["", "A".repeat(32), encoded])
      assert.equal(await media.find(signature, encoded), undefined);
    assert.equal(remote.requests.length, 0);
  });

  const HOSTILE: Readonly<Record<string, Handler>> = {
    "a page": answer("text/html", "<script>alert(1)</script>"),
    "a picture with the type of a page": answer("text/html", PNG),
    "a picture with any type": answer("application/octet-stream", PNG),
    "a page with the type of a picture": answer("image/png", "<script>"),
    "a document with the type of a picture": answer("image/png", DOCUMENT),
    "an SVG": answer("image/svg+xml", DOCUMENT),
    nothing: answer("image/png", ""),
    "an error with a picture": answer("image/png", PNG, 500),
    "a part": answer("image/png", PNG, 206),
    "no picture": answer("image/png", PNG, 404),
    "one byte too many": answer(
      "image/png",
      Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES + 1 - PNG.length)]),
    ),
    "a length that is a lie": (_request, response) => {
      response.writeHead(200, {
        "content-type": "image/png",
        "content-length": 2 * PNG.length,
      });
      response.write(PNG, () => response.destroy());
    },
    "no end": without({ everyMs: 0 }, PNG),
    "a drop at a time": without({ everyMs: 200 }, PNG),
    "no answer": () => undefined,
    "a broken connection": (request) => request.socket.destroy(),
    "an unknown encoding": (_request, response) =>
      void response
        .writeHead(200, {
          "content-type": "image/png",
          "content-encoding": "br",
        })
        .end(PNG),
    "a redirect in a circle": redirectTo("/x.png"),
    "a redirect to a file": redirectTo("file:///etc/passwd"),
    "a redirect to data": redirectTo("data:image/png;base64,iVBORw0KGgo="),
    "a redirect to this machine": redirectTo("http://0.0.0.0/x.png"),
    "a redirect with a password": redirectTo("http://a:b@pics.example/x.png"),
  };

  for (const [name, handler] of Object.entries(HOSTILE))
    test(`a server answers with ${name}: nothing is shown or kept`, async () => {
      remote.handler = handler;
      const media = start();
      const url = remote.at("/x.png", "pics.example");
      assert.equal(await load(media, url), undefined);
      assert.deepEqual(await storedFiles(), []);
      // The others of its server are shown all the same.
      remote.handler = PICTURE;
      const other = remote.at("/y.png", "pics.example");
      assert.deepEqual(await load(media, other), PNG);
    });

  test("a failure is remembered for ten minutes", async () => {
    remote.handler = answer("text/html", "later");
    const media = start();
    const url = remote.at("/a.png", "pics.example");
    for (let round = 0; round < 20; round += 1)
      assert.equal(await load(media, url), undefined);
    assert.equal(remote.requests.length, 1);
    remote.handler = PICTURE;
    nowMs += 10 * MINUTE_MS - 1;
    assert.equal(await load(media, url), undefined);
    nowMs += 1;
    assert.deepEqual(await load(media, url), PNG);
    assert.equal(remote.requests.length, 2);
  });

  test("after a week it is fetched again; a deleted one is removed, but not one of a broken server", async () => {
    remote.handler = PICTURE;
    const media = start();
    const url = remote.at("/a.png", "pics.example");
    assert.deepEqual(await load(media, url), PNG);
    nowMs += 7 * DAY_MS - 1;
    assert.deepEqual(await load(media, url), PNG);
    assert.equal(remote.requests.length, 1);
    remote.handler = answer("text/html", "broken", 500);
    nowMs += 1;
    for (const round of [1, 2])
      assert.deepEqual(await load(media, url), PNG, String(round));
    assert.equal(remote.requests.length, 2);
    const changed = Buffer.concat([PNG, Buffer.from("changed")]);
    remote.handler = answer("image/png", changed);
    nowMs += 10 * MINUTE_MS;
    assert.deepEqual(await load(media, url), changed);
    remote.handler = answer("text/html", "gone", 410);
    nowMs += 7 * DAY_MS;
    assert.equal(await load(media, url), undefined);
    assert.deepEqual(await storedFiles(), []);
  });

  test("a refused host is not contacted, not even by a redirect, and what is kept of it is not shown", async () => {
    remote.handler = PICTURE;
    const media = start();
    const known = remote.at("/a.png", "refused.example");
    assert.deepEqual(await load(media, known), PNG);
    refused.add("refused.example");
    assert.equal(await load(media, known), undefined);
    assert.equal(
      await load(media, remote.at("/b.png", "refused.example")),
      undefined,
    );
    assert.equal(remote.requests.length, 1);
    remote.handler = redirectTo(known);
    assert.equal(
      await load(media, remote.at("/c.png", "pics.example")),
      undefined,
    );
    assert.deepEqual(
      remote.requests.map(({ headers }) => headers.host?.split(":")[0]),
      ["refused.example", "pics.example"],
    );
  });

  test("a few are fetched at once, of one host and in total", async () => {
    const running: string[] = [];
    const most = { ofOne: 0, inTotal: 0 };
    remote.handler = ({ headers: { host = "" } }, response) => {
      running.push(host);
      const ofOne = running.filter((one) => one === host).length;
      most.ofOne = Math.max(most.ofOne, ofOne);
      most.inTotal = Math.max(most.inTotal, running.length);
      setTimeout(() => {
        running.splice(running.indexOf(host), 1);
        response.writeHead(200, { "content-type": "image/png" }).end(PNG);
      }, 20);
    };
    const media = start();
    const loadAll = async (hosts: number) => {
      const urls = Array.from({ length: 40 }, (_, at) =>
        remote.at(`/${at}.png`, `pics${hosts}${at % hosts}.example`),
      );
      const loaded = await Promise.all(urls.map((url) => load(media, url)));
      for (const bytes of loaded) assert.deepEqual(bytes, PNG);
    };
    await loadAll(1);
    assert.deepEqual(most, { ofOne: 4, inTotal: 4 });
    await loadAll(5);
    assert.deepEqual(most, { ofOne: 4, inTotal: 8 });
  });
});
