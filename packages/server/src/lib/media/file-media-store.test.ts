import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import { createFileMediaStore } from "./file-media-store.ts";
import type { MediaStore } from "./media-store.ts";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const YESTERDAY = new Date("2026-01-01T00:00:00Z");

describe("a store of files", () => {
  let parent: string;
  let root: string;
  let store: MediaStore;

  before(async () => {
    parent = await mkdtemp(path.join(tmpdir(), "kith-media-"));
  });
  after(() => rm(parent, { recursive: true }));
  beforeEach(async () => {
    root = path.join(await mkdtemp(path.join(parent, "x")), "new", "media");
    store = createFileMediaStore(root);
  });

  async function read(key: string): Promise<string | undefined> {
    const found = await store.open(key);
    if (!found) return undefined;
    const bytes = await buffer(found.stream);
    assert.equal(bytes.length, found.size);
    return bytes.toString();
  }

  async function list(beforeTime: Date): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of store.list(beforeTime)) keys.push(key);
    return keys.sort();
  }

  const ageOf = (key: string, time: Date) =>
    utimes(path.join(root, key.slice(0, 2), key), time, time);

  test("gives back what was put in, until it is removed", async () => {
    assert.equal(await read("abcdef-full.png"), undefined);
    await store.put("abcdef-full.png", Buffer.from("one"));
    await store.put("abcdef-small.png", Buffer.from("two"));
    assert.equal(await read("abcdef-full.png"), "one");
    assert.equal(await read("abcdef-small.png"), "two");
    assert.deepEqual((await readdir(path.join(root, "ab"))).sort(), [
      "abcdef-full.png",
      "abcdef-small.png",
    ]);
    await store.remove("abcdef-full.png");
    await store.remove("abcdef-full.png");
    assert.equal(await read("abcdef-full.png"), undefined);
    assert.equal(await read("abcdef-small.png"), "two");
  });

  test("stores a file under another key, which outlives the first and is as young as asked", async () => {
    await store.put("abcdef.png", Buffer.from("one"));
    await ageOf("abcdef.png", LONG_AGO);
    await store.copy("abcdef.png", "123456.png", new Date());
    assert.deepEqual(await list(YESTERDAY), []);
    await store.remove("abcdef.png");
    assert.equal(await read("123456.png"), "one");
    await store.copy("abcdef.png", "654321.png", new Date());
    assert.equal(await read("654321.png"), undefined);
    await assert.rejects(store.copy("123456.png", "../x", new Date()));
  });

  test("takes no key that leads elsewhere", async () => {
    for (const key of [
      "",
      "ab",
      "../abc",
      "ab/../../abc",
      "ab/c",
      "ab\\c",
      "/abc",
      "..abc",
      "abc\0",
      "ABC",
      "abc.part",
      "a".repeat(121),
    ]) {
      await assert.rejects(store.put(key, Buffer.from("x")), /malformed/, key);
      await assert.rejects(store.open(key), /malformed/, key);
      await assert.rejects(async () => store.remove(key), /malformed/, key);
    }
  });

  test("lists what is old, and finished", async () => {
    assert.deepEqual(await list(YESTERDAY), []);
    for (const key of ["old-one", "old-two", "new-one"])
      await store.put(key, Buffer.from("x"));
    for (const key of ["old-one", "old-two"]) await ageOf(key, LONG_AGO);
    await writeFile(path.join(root, "ol", "old-three.part"), "half");
    await ageOf("old-three.part", LONG_AGO);
    await writeFile(path.join(root, "somebody's"), "x");
    assert.deepEqual(await list(YESTERDAY), ["old-one", "old-two"]);
  });

  test("removes what was never finished, once it is old", async () => {
    await store.put("old-one", Buffer.from("x"));
    await ageOf("old-one", LONG_AGO);
    for (const name of ["old-two.part", "old-three.part"])
      await writeFile(path.join(root, "ol", name), "half");
    await ageOf("old-two.part", LONG_AGO);
    await store.removeUnfinished(YESTERDAY);
    assert.deepEqual((await readdir(path.join(root, "ol"))).sort(), [
      "old-one",
      "old-three.part",
    ]);
  });

  test("where nothing can be written, nothing half is left", async () => {
    await store.put("abc-one", Buffer.from("x"));
    // A file is in the place of a folder.
    await writeFile(path.join(root, "xy"), "");
    await assert.rejects(store.put("xyz", Buffer.from("x")));
    assert.deepEqual(await list(new Date("2999-01-01T00:00:00Z")), ["abc-one"]);
  });
});
