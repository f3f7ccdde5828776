import assert from "node:assert/strict";
import {
  mkdtemp,
  readdir,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import { systemClock } from "../../lib/time/clock.ts";
import { createFileCache } from "./file-cache.ts";
import { createPictureCache, type PictureCache } from "./picture-cache.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const MINUTE_MS = 60_000;
const MAX_BYTES = 8_000;

describe("the cache of pictures", () => {
  let root: string;
  let folder: string;
  let folders = 0;
  let nowMs: number;
  const clock = { now: () => new Date(nowMs) };

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), "kith-pictures-"));
  });
  after(() => rm(root, { recursive: true }));
  beforeEach(() => {
    folders += 1;
    folder = path.join(root, String(folders));
    nowMs = systemClock.now().getTime();
  });

  const start = () =>
    createPictureCache(createFileCache({ folder, maxBytes: MAX_BYTES, clock }));
  const urlOf = (name: string) => `https://pics.example/${name}.png`;

  /** A picture of 1,000 bytes, stored a minute after the one before. */
  async function put(cache: PictureCache, name: string): Promise<void> {
    nowMs += MINUTE_MS;
    await cache.put(urlOf(name), pictureOf(name));
  }

  function pictureOf(name: string): Buffer {
    return Buffer.concat([PNG, Buffer.alloc(1_000 - PNG.length, name)]);
  }

  async function bytesOf(cache: PictureCache, name: string) {
    const found = await cache.find(urlOf(name));
    const opened = await found?.open();
    return opened && buffer(opened.stream);
  }

  async function namesIn(cache: PictureCache, names: string): Promise<string> {
    const found = await Promise.all(
      [...names].map(async (name) =>
        (await cache.find(urlOf(name))) ? name : "",
      ),
    );
    return found.join("");
  }

  async function size(): Promise<number> {
    const files = await readdir(folder, {
      recursive: true,
      withFileTypes: true,
    });
    const sizes = files
      .filter((file) => file.isFile())
      .map((file) => stat(path.join(file.parentPath, file.name)));
    return (await Promise.all(sizes)).reduce((sum, it) => sum + it.size, 0);
  }

  test("keeps pictures over a restart, and shows them to other processes", async () => {
    const cache = start();
    await put(cache, "a");
    for (const other of [cache, start()]) {
      const found = (await other.find(urlOf("a"))) ?? assert.fail();
      assert.equal(found.mediaType, "image/png");
      assert.equal(found.fetchedAt.getTime(), nowMs);
      assert.deepEqual(await bytesOf(other, "a"), pictureOf("a"));
      assert.equal(await other.find(urlOf("b")), undefined);
    }
    await start().remove(urlOf("a"));
    assert.equal(await cache.find(urlOf("a")), undefined);
  });

  test("never exceeds its budget: what was not used for the longest time goes first", async () => {
    const cache = start();
    for (const name of "abcdefg") await put(cache, name);
    assert.equal(await namesIn(start(), "a"), "a");
    nowMs += MINUTE_MS;
    assert.equal(await namesIn(cache, "b"), "b");
    for (const name of "hi") await put(cache, name);
    assert.equal(await size(), 7_000);
    assert.equal(await namesIn(cache, "cdabefghi"), "abefghi");
  });

  test("holds its budget although several processes fill it", async () => {
    const caches = [start(), start(), start(), start()];
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        caches.map((cache, process) => put(cache, `${round}-${process}`)),
      );
    assert.ok((await size()) <= MAX_BYTES, String(await size()));
    assert.ok((await size()) >= MAX_BYTES / 2, String(await size()));
  });

  test("leaves a file alone that another process is writing", async () => {
    await put(start(), "a");
    const [sub = ""] = await readdir(folder);
    const writing = path.join(folder, sub, "writing.part");
    await writeFile(writing, Buffer.alloc(100));
    const longAgo = new Date(nowMs - MINUTE_MS);
    await utimes(writing, longAgo, longAgo);
    for (const name of "bcdefghi") await put(start(), name);
    assert.ok((await readdir(path.dirname(writing))).includes("writing.part"));
  });

  test("counts what a process before it has left, and removes its unfinished files", async () => {
    await put(start(), "a");
    const [sub = ""] = await readdir(folder);
    const left = path.join(folder, sub, "left.part");
    await writeFile(left, Buffer.alloc(100_000));
    const started = new Date(nowMs - 2 * 60 * MINUTE_MS);
    await utimes(left, started, started);
    for (const name of "bcdefgh") await put(start(), name);
    assert.equal(await size(), 7_000);
    assert.equal(await namesIn(start(), "abcdefgh"), "bcdefgh");
  });

  test("a new version has another tag, and no file that is no picture is shown", async () => {
    const cache = start();
    await put(cache, "a");
    const before = await cache.find(urlOf("a"));
    await put(cache, "a");
    const now = await cache.find(urlOf("a"));
    assert.match(now?.tag ?? "", /^"[\w-]+"$/);
    assert.notEqual(now?.tag, before?.tag);
    await cache.put(urlOf("x"), Buffer.from("<html>"));
    assert.equal(await cache.find(urlOf("x")), undefined);
  });
});
