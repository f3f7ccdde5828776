import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import { createFileCache, trimFolder } from "./file-cache.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kith-cache-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("a lowered limit removes the files that were not used for the longest time", async () => {
  const clock = new TestClock();
  const cache = createFileCache({ folder, maxBytes: 10_000_000, clock });
  const names = Array.from({ length: 10 }, (_, n) => `file ${n}`);
  for (const name of names) {
    clock.advance(60_000);
    await cache.put(name, new Uint8Array(10_000));
  }
  clock.advance(60_000);
  await cache.find("file 0");
  assert.equal(await trimFolder(folder, 100_000), 0, "it is not over");
  assert.equal(await trimFolder(folder, 50_000), 60_000, "an eighth is free");
  const left: string[] = [];
  for (const name of names) if (await cache.find(name)) left.push(name);
  assert.deepEqual(left, ["file 0", "file 7", "file 8", "file 9"]);
  assert.equal(await trimFolder(path.join(folder, "missing"), 1), 0);
});
