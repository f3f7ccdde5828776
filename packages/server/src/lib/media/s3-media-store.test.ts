import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  after,
  afterEach,
  before,
  beforeEach,
  describe,
  test,
} from "node:test";
import { S3Server } from "../../../test/support/storage/s3-server.ts";
import { createFileMediaStore } from "./file-media-store.ts";
import type { MediaStore } from "./media-store.ts";
import { moveMedia } from "./move-media.ts";
import { createS3MediaStore } from "./s3-media-store.ts";
import { readS3Url } from "../object-store/s3-place.ts";
import { bytesOf, createTwoMediaStores } from "./two-media-stores.ts";

const LATER = new Date(Date.now() + 86_400_000);
const keysIn = async (store: MediaStore, before = LATER) => {
  const keys: string[] = [];
  for await (const key of store.list(before)) keys.push(key);
  return keys.toSorted();
};
const textOf = async (store: MediaStore, key: string) => {
  const found = await store.open(key);
  return found && (await bytesOf(found)).toString();
};
const put = (store: MediaStore, key: string, text: string) =>
  store.put(key, Buffer.from(text));

describe("an object store", () => {
  let s3: S3Server;
  let store: MediaStore;
  before(async () => {
    s3 = await S3Server.start();
    store = createS3MediaStore(s3.place());
  });
  after(() => s3.close());
  beforeEach(() => {
    s3.objects.clear();
    s3.isLossy = false;
  });
  afterEach(() => assert.deepEqual(s3.refusals.splice(0), []));

  test("keeps files, gives parts of them, and removes them", async () => {
    await put(store, "abc.png", "0123456789");
    assert.deepEqual([...s3.objects.keys()], ["kith/abc.png"]);
    assert.equal(await textOf(store, "abc.png"), "0123456789");
    const part = await store.open("abc.png", { start: 2, end: 4 });
    assert.equal(part?.size, 10);
    assert.equal((await bytesOf(part)).toString(), "234");
    const rest = await store.open("abc.png", { start: 8, end: 99 });
    assert.equal(rest?.size, 10);
    assert.equal((await bytesOf(rest)).toString(), "89");
    const behind = await store.open("abc.png", { start: 10, end: 12 });
    assert.equal(behind?.size, 10);
    assert.equal((await bytesOf(behind)).length, 0);
    await store.remove("abc.png");
    await store.remove("abc.png");
    assert.equal(await store.open("abc.png"), undefined);
    await put(store, "empty.png", "");
    assert.equal(await textOf(store, "empty.png"), "");
  });

  test("lists all of them, in several parts, and no others", async () => {
    const keys = Array.from({ length: 7 }, (_, at) => `file-${at}.png`);
    for (const key of keys) await put(store, key, key);
    s3.objects.set("other/abc.png", { body: Buffer.of(1), modifiedAt: LATER });
    s3.objects.set("kith/Not a key", { body: Buffer.of(1), modifiedAt: LATER });
    assert.deepEqual(await keysIn(store), keys);
    assert.deepEqual(await keysIn(store, new Date(0)), []);
    assert.deepEqual(await store.measure(), { files: 8, bytes: 7 * 10 + 1 });
  });

  test("copies a file, and makes both as new as the copy", async () => {
    await put(store, "abc.png", "x");
    const old = s3.objects.get("kith/abc.png") ?? assert.fail();
    old.modifiedAt = new Date(0);
    await store.copy("abc.png", "def.png", new Date());
    assert.equal(await textOf(store, "def.png"), "x");
    assert.deepEqual(await keysIn(store, new Date(Date.now() - 60_000)), []);
    await store.copy("gone.png", "ghi.png", new Date());
    assert.equal(await store.open("ghi.png"), undefined);
  });

  test("is asked again if it is busy, and a failure names no secret", async () => {
    s3.failures.push(503, 500);
    await put(store, "abc.png", "x");
    assert.equal(await textOf(store, "abc.png"), "x");
    s3.failures.push(...Array<number>(8).fill(503));
    await assert.rejects(put(store, "abc.png", "y"), /503 SlowDown\.$/);
    s3.failures.length = 0;
    const wrong = createS3MediaStore(s3.place({ secret: "wrong" }));
    for (const call of [
      () => put(wrong, "abc.png", "z"),
      () => wrong.open("abc.png"),
      () => wrong.remove("abc.png"),
      () => keysIn(wrong),
      () => wrong.copy("abc.png", "def.png", new Date()),
    ])
      await assert.rejects(
        call(),
        /^OperatorError: The object store .*403 \w+\.$/,
      );
    assert.equal(s3.refusals.splice(0).length, 5);
    assert.equal(await textOf(store, "abc.png"), "x");
  });

  test("takes no key that is none", async () => {
    for (const key of ["", "../abc", "a/b", "ab", "abc.part", "ABC"])
      for (const call of [
        () => put(store, key, "x"),
        () => store.open(key),
        () => store.remove(key),
      ])
        await assert.rejects(async () => call(), /malformed/);
  });

  describe("beside a folder", () => {
    let root: string;
    let folder: MediaStore;
    let both: MediaStore;
    beforeEach(async () => {
      root = await mkdtemp(path.join(tmpdir(), "kith-media-"));
      folder = createFileMediaStore(root);
      both = createTwoMediaStores(store, folder);
    });
    afterEach(() => rm(root, { recursive: true, force: true }));

    test("gets new files, and old ones are found in the folder", async () => {
      await put(folder, "old.png", "old");
      await put(both, "new.png", "new");
      assert.deepEqual(await keysIn(folder), ["old.png"]);
      assert.equal(await textOf(both, "old.png"), "old");
      assert.equal(await textOf(both, "new.png"), "new");
      assert.deepEqual(await keysIn(both), ["new.png", "old.png"]);
      assert.deepEqual(await both.measure(), { files: 2, bytes: 6 });
      await both.copy("old.png", "copy.png", new Date());
      assert.equal(await textOf(store, "copy.png"), "old");
      for (const key of ["old.png", "new.png"]) await both.remove(key);
      assert.deepEqual(await keysIn(both), ["copy.png"]);
    });

    test("all is moved, and back, however often it is interrupted", async () => {
      const keys = Array.from({ length: 5 }, (_, at) => `file-${at}.png`);
      for (const key of keys) await put(folder, key, key);
      // As an interrupted move has left it.
      await put(store, "file-3.png", "file-3.png");
      assert.deepEqual(await keysIn(both), keys);
      let count = 0;
      const stopping = moveMedia(folder, store, () => {
        count += 1;
        if (count === 2) throw new Error("stopped");
      });
      await assert.rejects(stopping, /stopped/);
      for (const key of keys) assert.equal(await textOf(both, key), key);
      const moved = await moveMedia(folder, store, () => {});
      assert.deepEqual(moved, { files: 3, bytes: 30 });
      assert.deepEqual(await keysIn(folder), []);
      for (const key of keys) assert.equal(await textOf(both, key), key);
      await moveMedia(store, folder, () => {});
      assert.deepEqual(await keysIn(folder), keys);
      assert.equal(s3.objects.size, 0);
    });

    test("a file that is not the same there stays here", async () => {
      await put(folder, "abc.png", "bytes");
      s3.isLossy = true;
      await assert.rejects(
        moveMedia(folder, store, () => {}),
        /not the same/,
      );
      assert.equal(await textOf(folder, "abc.png"), "bytes");
    });
  });
});

test("the address of an object store is read as it is written, or not at all", () => {
  assert.deepEqual(
    readS3Url("s3://key:se%2Bcret%2F@s3.example:9000/bucket/a/b/?region=x-1"),
    {
      ...{ endpoint: "https://s3.example:9000", region: "x-1", prefix: "a/b/" },
      ...{ bucket: "bucket", keyId: "key", secret: "se+cret/" },
    },
  );
  assert.deepEqual(readS3Url("s3+http://k:s@localhost/bucket"), {
    ...{ endpoint: "http://localhost", region: "us-east-1", prefix: "" },
    ...{ bucket: "bucket", keyId: "k", secret: "s" },
  });
  for (const wrong of [
    ...["", "s3:", "https://k:s@h/bucket", "s3://h/bucket", "s3://k:s@h"],
    ...["s3://k:s@h/", "s3://k@h/bucket", "s3://k:s@h/B", "s3://k:s@h/b/../c"],
    ...[
      "s3://k:s@h/bucket?x=1",
      "s3://k:%E0%A4@h/bucket",
      "s3://k:s@h/bucket#a",
    ],
    "s3://k:s@h/bucket?region=a%0Ab",
  ])
    assert.equal(readS3Url(wrong), undefined, wrong);
});
