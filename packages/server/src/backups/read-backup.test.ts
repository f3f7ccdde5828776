import assert from "node:assert/strict";
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import { pack, type Header } from "tar-stream";
import { createReadyDatabase } from "../../test/support/server/databases.ts";
import { migrate } from "../db/migrate.ts";
import { openDatabase } from "../db/open-database.ts";
import { OperatorError } from "../lib/errors.ts";
import { createFileMediaStore } from "../lib/media/file-media-store.ts";
import { systemClock } from "../lib/time/clock.ts";
import { makeBackup } from "./make-backup.ts";
import { isBackupPath } from "./manifest.ts";
import { writeArchiveTo } from "./places/write-archive.ts";
import { readBackup } from "./read-backup.ts";

describe("an archive", () => {
  let folder: string;
  let archive: string;
  let broken: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "kith-archive-"));
    [archive, broken] = ["whole.tar", "broken.tar"].map((name) =>
      path.join(folder, name),
    ) as [string, string];
    const database = await createReadyDatabase("sqlite");
    const db = await openDatabase(database.location);
    await migrate(db, systemClock);
    await db.close();
    const media = createFileMediaStore(path.join(folder, "media"));
    for (const key of ["one", "two", "three"])
      await media.put(`${key}-full.png`, Buffer.alloc(700, key));
    await makeBackup(
      {
        ...{ location: database.location, media, clock: systemClock },
        ...{ version: "1", baseUrl: "http://localhost:3000" },
        findSecretKey: () => Buffer.alloc(32, 7),
        passphrase: "a staple of horses",
      },
      { name: archive, write: writeArchiveTo(archive, systemClock) },
    );
    await database.remove();
  });
  after(() => rmSync(folder, { recursive: true }));

  async function read(file: string): Promise<string> {
    const to = mkdtempSync(path.join(folder, "to-"));
    try {
      await readBackup(file, to, { isKept: () => true });
      return "taken";
    } catch (error) {
      assert.ok(error instanceof OperatorError, String(error));
      return error.message;
    } finally {
      rmSync(to, { recursive: true });
    }
  }

  test("that is whole is taken", async () => {
    assert.equal(await read(archive), "taken");
    assert.match(await read(path.join(folder, "nowhere")), /no backup at/);
    assert.match(await read(folder), /is no whole backup: manifest\.json/);
  });

  test("with a flipped bit is refused, wherever it is", async () => {
    const whole = readFileSync(archive);
    const places = Array.from({ length: 60 }, (_, n) =>
      Math.floor((n / 60) * whole.length),
    );
    // Names, sizes, kinds and sums of headers, and the ends of the manifests.
    for (const at of [0, 3, 124, 130, 148, 156, whole.length - 4_000])
      places.push(at);
    for (const at of places.filter((place) => !isPadding(whole, place))) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x04;
      writeFileSync(broken, bytes);
      assert.notEqual(await read(broken), "taken", `a bit of byte ${at}`);
    }
  });

  test("without its end is refused", async () => {
    const whole = readFileSync(archive);
    const end = lastEntry(whole);
    for (const length of [0, 1, 511, 512, 600, 50_000, end - 1, end - 80])
      for (const cut of [length, Math.floor(length / 512) * 512]) {
        writeFileSync(broken, whole.subarray(0, cut));
        const says = await read(broken);
        assert.match(says, /its end is missing/, `${cut} bytes: ${says}`);
      }
  });

  test("with an entry that leads elsewhere is refused, and writes nothing", async () => {
    const entries: (Partial<Header> & { name: string })[] = [
      { name: "../evil" },
      { name: "/tmp/evil" },
      { name: "database/../../evil.sqlite" },
      { name: "media/ab/../../../evil" },
      { name: "media/ab/abc", type: "symlink", linkname: "/etc/passwd" },
      { name: "media/ab/abc", type: "link", linkname: "../../secret.key" },
      { name: "media", type: "directory" },
      { name: "media/ab/abc", type: "fifo" },
      { name: "manifest.json.sh" },
    ];
    for (const entry of entries) {
      const sink = pack();
      const written = pipeline(sink, createWriteStream(broken));
      sink.entry(entry, entry.type === undefined ? "evil" : "");
      sink.finalize();
      await written;
      assert.match(await read(broken), /an entry that no backup of Kith's has/);
      assert.ok(!readdirSync(folder).some((name) => name.includes("evil")));
      assert.ok(!existsSync("/tmp/evil"));
    }
  });

  test("names files by what they are, and no path that leads out", () => {
    for (const good of ["database/kith.sqlite", "database/posts.copy"])
      assert.ok(isBackupPath(good), good);
    assert.ok(isBackupPath("media/ab/abc-full.png"));
    for (const bad of [
      ...["", "database/", "database/../x.copy", "media/ab/xyz", "media/ab/a"],
      ...["media/../ab/abc", "/media/ab/abc", "secret.key", "media/ab/ab/c"],
      ...["media/ab/abc\n", "MEDIA/ab/abc", "kith.toml", "media/..a/..abc"],
    ])
      assert.ok(!isBackupPath(bad), bad);
  });
});

type Entry = { readonly end: number; readonly next: number };

/** Where the content of each entry ends, and the next header begins. */
function* entriesOf(archive: Buffer): Generator<Entry> {
  for (let start = 0; archive[start];) {
    const size = Number.parseInt(
      archive.subarray(start + 124, start + 135).toString(),
      8,
    );
    const end = start + 512 + size;
    start = start + 512 + Math.ceil(size / 512) * 512;
    yield { end, next: start };
  }
}

/** Zeros after the content of an entry belong to nothing. */
function isPadding(archive: Buffer, at: number): boolean {
  for (const { end, next } of entriesOf(archive))
    if (at < next) return at >= end;
  return true;
}

function lastEntry(archive: Buffer): number {
  return [...entriesOf(archive)].at(-1)?.end ?? 0;
}
