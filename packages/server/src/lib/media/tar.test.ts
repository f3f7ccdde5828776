import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { writeTar, type TarEntry } from "./tar.ts";

const run = promisify(execFile);
const TIME = new Date("2026-01-02T03:04:05.678Z");

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function pack(entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(each(entries), TIME)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The files that the system's own tar extracts from an archive. */
async function unpacked<T>(
  archive: Buffer,
  look: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "kith-tar-"));
  try {
    const file = join(folder, "archive.tar");
    await writeFile(file, archive);
    const { stderr } = await run("tar", ["-xf", file, "-C", folder]);
    assert.equal(stderr, "");
    await rm(file);
    return await look(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the system's tar reads names of every length and script, and every size", async () => {
  const names = ["a.json", "media/photo.jpg", "über/Ärger 🦊.json"];
  for (const length of [80, 90, 95, 99, 100, 101, 120, 200])
    names.push(`long/${"x".repeat(length - 10)}.json`);
  names.push(`${"deep/".repeat(50)}${"ü".repeat(100)}.json`);
  const entries = names.map((path, i) => ({
    path,
    content: "é".repeat(i * 100),
  }));
  const sizes = [0, 1, 511, 512, 513, 1024, 70_000];
  for (const size of sizes)
    entries.push({ path: `size-${size}`, content: "x".repeat(size) });
  await unpacked(await pack(entries), async (folder) => {
    for (const { path, content } of entries)
      assert.equal(await readFile(join(folder, path), "utf8"), content, path);
    const { mtime, mode } = await stat(join(folder, "a.json"));
    assert.equal(mtime.toISOString(), "2026-01-02T03:04:05.000Z");
    assert.equal(mode & 0o133, 0, "nobody runs it or writes to it");
  });
});

test("bytes and streams are written as they are", async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
  const chunks = () => each([bytes, bytes.subarray(0, 1)]);
  const archive = await pack([
    { path: "bytes", content: bytes },
    { path: "stream", content: { size: 1001, chunks: chunks() } },
    { path: "after", content: "x" },
  ]);
  assert.equal(archive.length % 512, 0);
  await unpacked(archive, async (folder) => {
    assert.deepEqual((await readdir(folder)).toSorted(), [
      "after",
      "bytes",
      "stream",
    ]);
    assert.deepEqual(await readFile(join(folder, "bytes")), Buffer.from(bytes));
    assert.equal((await stat(join(folder, "stream"))).size, 1001);
  });
});

test("a stream that is not as large as it says ends the archive", async () => {
  for (const size of [0, 4, 6, 1000]) {
    const chunks = each([Buffer.from("12345")]);
    const entry = { path: "x", content: { size, chunks } };
    await assert.rejects(pack([entry]), /Size mismatch/);
  }
});

test("an archive is written as fast as it is read, and no further", async () => {
  const made = { chunks: 0, ended: 0 };
  async function* chunks() {
    try {
      for (; made.chunks < 10_000; made.chunks += 1)
        yield Buffer.alloc(1024, "x");
    } finally {
      made.ended += 1;
    }
  }
  async function* entries() {
    try {
      const content = { size: 10_000 * 1024, chunks: chunks() };
      yield { path: "large", content };
    } finally {
      made.ended += 1;
    }
  }
  let read = 0;
  for await (const chunk of writeTar(entries(), TIME)) {
    read += chunk.length;
    assert.ok(
      made.chunks * 1024 - read < 100_000,
      "made long before it is read",
    );
    if (read > 1_000_000) break;
  }
  assert.ok(read < 1_100_000);
  assert.equal(made.ended, 2, "nobody waits for a reader who has gone");
});

test("an archive fails where one of its files does", async () => {
  async function* chunks() {
    yield Buffer.from("12");
    throw new Error("The disk is gone");
  }
  const entry = { path: "x", content: { size: 4, chunks: chunks() } };
  await assert.rejects(pack([entry]), /The disk is gone/);
});

test("no path leads out of the archive", async () => {
  for (const path of [
    "",
    "/etc/passwd",
    "../x",
    "a/../../x",
    "a//b",
    ".",
    "x\0",
  ])
    await assert.rejects(pack([{ path, content: "" }]), /no path inside/);
});

test("an archive of nothing is an archive", async () => {
  await unpacked(await pack([]), async (folder) =>
    assert.deepEqual(await readdir(folder), []),
  );
});
