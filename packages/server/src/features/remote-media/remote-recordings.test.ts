import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  useTestServer,
  type Handler,
} from "../../lib/http-client/guarded-fetch.fixture.ts";
import type { ByteRange } from "../../lib/media/media-store.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { createProxyAddresses, createRemoteMedia } from "./index.ts";

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

/** The beginning of an MP4, and bytes that say where they are. */
function film(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE(at, at);
  bytes.write("\0\0\0\x18ftypisom", 0, "latin1");
  return bytes;
}

type Served = {
  bytes: Buffer;
  etag?: string;
  type?: string;
  ignoresRange?: boolean;
};

/** Sends parts as other servers do, and notes which were asked for. */
const serve =
  (served: Served, asked: string[] = []): Handler =>
  ({ headers }, response) => {
    const { bytes, etag, type = "video/mp4", ignoresRange = false } = served;
    const { range = "" } = headers;
    asked.push(range);
    const common = { "content-type": type, ...(etag && { etag }) };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const condition = headers["if-range"];
    const isChanged = condition !== undefined && condition !== etag;
    if (from === undefined || ignoresRange || isChanged)
      return void response.writeHead(200, common).end(bytes);
    const start = Number(from);
    const end = Math.min(Number(to), bytes.length - 1);
    if (start >= bytes.length) return void response.writeHead(416).end();
    response.writeHead(206, {
      ...common,
      "content-range": `bytes ${start}-${end}/${bytes.length}`,
    });
    response.end(bytes.subarray(start, end + 1));
  };

describe("sounds and videos of other servers", () => {
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
    root = await mkdtemp(path.join(tmpdir(), "kith-remote-recordings-"));
  });
  after(() => rm(root, { recursive: true }));
  beforeEach(() => {
    folders += 1;
    folder = path.join(root, String(folders));
    nowMs = systemClock.now().getTime();
    refused = new Set();
  });

  const start = (maxBytes = 64 * MIB) =>
    createRemoteMedia({
      addresses,
      fetch: remote.open,
      mayShow: async (url) => !refused.has(new URL(url).hostname),
      folder,
      maxBytes,
      clock: { now: () => new Date(nowMs) },
      timeoutMs: 2000,
    });

  function find(media: ReturnType<typeof start>, url: string) {
    const { pathname } = new URL(addresses.streamAddressOf(url));
    const [, , , signature = "", encoded = ""] = pathname.split("/");
    return media.findRecording(signature, encoded);
  }

  async function load(
    media: ReturnType<typeof start>,
    url: string,
    part?: ByteRange,
  ): Promise<Buffer | undefined> {
    const opened = await (await find(media, url))?.open(part);
    return opened && buffer(opened.stream);
  }

  const bytesStored = async () => {
    const names = await readdir(folder, { recursive: true });
    const sizes = names
      .filter((name) => path.basename(name).length > 2)
      .map(async (name) => (await stat(path.join(folder, name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };

  test("only the parts that are played are fetched, each once", async () => {
    const bytes = film(5 * MIB + 123);
    const asked: string[] = [];
    remote.handler = serve({ bytes, etag: '"1"' }, asked);
    const media = start();
    const url = remote.at("/a.mp4", "films.example");
    const found = await find(media, url);
    assert.deepEqual(
      [found?.mediaType, (await found?.open())?.size],
      ["video/mp4", bytes.length],
    );
    assert.deepEqual(asked, [`bytes=0-${MIB - 1}`]);
    for (const [from, to] of [
      [0, 99],
      [3 * MIB - 10, 3 * MIB + 10],
      [bytes.length - 5, bytes.length - 1],
      [3 * MIB - 10, 3 * MIB + 10],
    ] as const)
      assert.deepEqual(
        await load(media, url, { start: from, end: to }),
        bytes.subarray(from, to + 1),
      );
    assert.deepEqual(
      asked.map((range) => Number(/\d+/.exec(range)?.[0]) / MIB),
      [0, 2, 3, 5],
    );
    const all = await Promise.all([load(media, url), load(start(), url)]);
    for (const one of all) assert.ok(one?.equals(bytes));
  });

  test("the budget on the disk holds for them, too", async () => {
    const bytes = film(2 * MIB);
    remote.handler = serve({ bytes, etag: '"1"' });
    const media = start(16 * MIB);
    for (let n = 0; n < 12; n += 1) {
      const url = remote.at(`/${n}.mp4`, "films.example");
      assert.ok((await load(media, url))?.equals(bytes));
    }
    const stored = await bytesStored();
    assert.ok(stored <= 16 * MIB && stored > 8 * MIB, String(stored));
  });

  test("a film that would take much of the budget is played, and not kept", async () => {
    const bytes = film(12 * MIB);
    const asked: string[] = [];
    remote.handler = serve({ bytes, etag: '"1"' }, asked);
    const media = start();
    const url = remote.at("/long.mp4", "films.example");
    assert.ok((await load(media, url))?.equals(bytes));
    assert.ok((await bytesStored()) <= 2 * MIB);
    assert.equal(asked.length, 12);
  });

  test("a server that sends no parts sends short files alone", async () => {
    const served = { bytes: film(3 * MIB), ignoresRange: true };
    remote.handler = serve(served);
    const media = start();
    const url = remote.at("/short.mp4", "films.example");
    const part = { start: 2 * MIB, end: 2 * MIB + 9 };
    assert.deepEqual(
      await load(media, url, part),
      served.bytes.subarray(part.start, part.end + 1),
    );
    remote.handler = serve({ ...served, bytes: film(11 * MIB) });
    assert.equal(
      await load(media, remote.at("/long.mp4", "films.example")),
      undefined,
    );
  });

  test("a file that changes while it is played is not mixed", async () => {
    const url = remote.at("/changing.mp4", "films.example");
    remote.handler = serve({ bytes: film(3 * MIB), etag: '"1"' });
    const media = start();
    const found = await find(media, url);
    const later = { bytes: film(3 * MIB).fill(7, 100), etag: '"2"' };
    remote.handler = serve(later);
    const part = { start: 2 * MIB, end: 2 * MIB + 5 };
    const opened = await found?.open(part);
    await assert.rejects(buffer(opened?.stream ?? assert.fail()));
    assert.deepEqual(await load(media, url, part), Buffer.alloc(6, 7));
    assert.notEqual((await find(media, url))?.tag, found?.tag);
  });

  test("a file that is no sound or video is not served, whatever its type", async () => {
    for (const bytes of [
      Buffer.from("<html><script>alert(1)</script>".padEnd(500)),
      Buffer.from("\x89PNG\r\n\x1a\n".padEnd(500), "latin1"),
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      Buffer.alloc(0),
    ]) {
      remote.handler = serve({ bytes, type: "video/mp4" });
      const url = remote.at(`/${bytes.length}`, "films.example");
      assert.equal(await find(start(), url), undefined);
    }
    remote.handler = serve({ bytes: film(100), type: "text/html" });
    const odd = await find(start(), remote.at("/odd", "films.example"));
    assert.equal(odd?.mediaType, "video/mp4");
    remote.handler = serve({ bytes: film(100), type: "audio/x-m4a" });
    const sound = await find(start(), remote.at("/sound", "films.example"));
    assert.equal(sound?.mediaType, "audio/mp4");
  });

  test("a part that lies about itself is refused", async () => {
    const bytes = film(3 * MIB);
    for (const [n, contentRange] of [
      `bytes 1-${MIB}/${bytes.length}`,
      `bytes 0-${MIB - 1}/*`,
      `bytes 0-${MIB - 1}/99999999999999`,
      `bytes 0-${MIB - 2}/${bytes.length}`,
      "",
    ].entries()) {
      remote.handler = (_request, response) => {
        response.writeHead(206, { "content-range": contentRange });
        response.end(bytes.subarray(0, MIB));
      };
      const url = remote.at(`/lie${n}.mp4`, "films.example");
      assert.equal(await find(start(), url), undefined, contentRange);
    }
  });

  test("one that is gone is not asked for again and again, and is forgotten", async () => {
    const url = remote.at("/gone.mp4", "films.example");
    remote.handler = serve({ bytes: film(100) });
    const media = start();
    assert.ok(await find(media, url));
    let requests = 0;
    remote.handler = (_request, response) => {
      requests += 1;
      response.writeHead(410).end();
    };
    nowMs += 8 * DAY_MS;
    for (let n = 0; n < 3; n += 1)
      assert.equal(await find(media, url), undefined);
    assert.equal(requests, 1);
  });

  test("nothing is left of one that readers may not see any more", async () => {
    const media = start();
    const bytes = film(3 * MIB + 5);
    remote.handler = serve({ bytes, etag: '"1"' });
    const url = remote.at("/secret.mp4", "films.example");
    assert.ok((await load(media, url))?.equals(bytes));
    assert.ok((await bytesStored()) >= bytes.length);
    await media.forget(url);
    assert.equal(await bytesStored(), 0);
    await media.forget(url);
  });

  test("a signed address opens nothing else, and a refused host nothing", async () => {
    remote.handler = serve({ bytes: film(100) });
    const media = start();
    const url = remote.at("/a.mp4", "films.example");
    const picture = new URL(addresses.addressOf(url)).pathname.split("/");
    const [, , signature = "", encoded = ""] = picture;
    assert.equal(await media.findRecording(signature, encoded), undefined);
    const stream = new URL(addresses.streamAddressOf(url)).pathname.split("/");
    const [, , , streamSignature = "", streamEncoded = ""] = stream;
    assert.equal(await media.find(streamSignature, streamEncoded), undefined);
    assert.ok(await find(media, url));
    refused.add("films.example");
    assert.equal(await find(media, url), undefined);
  });
});
