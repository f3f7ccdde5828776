import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { writeTarGz, writeZip } from "../../../test/support/imports/packed.ts";
import { readRecords } from "./read-json.ts";
import { ARCHIVE_LIMITS, unpackArchive } from "./unpack.ts";

let folder: string;
let number = 0;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kith-unpack-"));
});
after(() => rm(folder, { recursive: true }));

const fresh = () => path.join(folder, String((number += 1)));

const FORMS = { zip: writeZip, "tar.gz": writeTarGz };

for (const [form, write] of Object.entries(FORMS)) {
  test(`a ${form} file is unpacked under numbers, by the names in it`, async () => {
    const files = { "a/b.json": "[1]", "c.txt": "text" };
    const target = fresh();
    const found = await unpackArchive(await write(fresh(), files), target);
    assert.deepEqual([...found.keys()], ["a/b.json", "c.txt"]);
    assert.deepEqual((await readdir(target)).toSorted(), ["0", "1"]);
    assert.equal(await readFile(found.get("c.txt") ?? "", "utf8"), "text");
  });

  test(`a ${form} file that unpacks to more than is allowed is refused`, async () => {
    const bomb = await write(fresh(), { "a.json": Buffer.alloc(30_000_000) });
    await assert.rejects(unpackArchive(bomb, fresh()), /more than is allowed/);
    const limits = { ...ARCHIVE_LIMITS, maxBytes: 5 };
    const small = await write(fresh(), { a: "abc", b: "def" });
    await assert.rejects(
      unpackArchive(small, fresh(), limits),
      /more than is allowed/,
    );
  });

  test(`a ${form} file with too many files is refused`, async () => {
    const archive = await write(fresh(), { a: "1", b: "2", c: "3" });
    const limits = { ...ARCHIVE_LIMITS, maxEntries: 2 };
    await assert.rejects(
      unpackArchive(archive, fresh(), limits),
      /too many files/,
    );
  });

  test(`a damaged ${form} file is refused`, async () => {
    const archive = await write(fresh(), { a: "1".repeat(5000), b: "2" });
    const bytes = await readFile(archive);
    await writeFile(archive, bytes.subarray(0, bytes.length - 20));
    await assert.rejects(unpackArchive(archive, fresh()), {
      code: "bad_request",
    });
  });
}

test("links and devices are refused", async () => {
  const link = { name: "l", type: "symlink", linkname: "/etc/passwd" } as const;
  const device = { name: "d", type: "character-device" } as const;
  for (const header of [link, device])
    await assert.rejects(
      writeTarGz(fresh(), {}, [header]).then((it) =>
        unpackArchive(it, fresh()),
      ),
      /links or devices/,
    );
  const zip = await writeZip(fresh(), { l: "/etc/passwd" }, 0o120777);
  await assert.rejects(unpackArchive(zip, fresh()), /links or devices/);
});

test("names that lead out of the archive are refused", async () => {
  for (const name of ["../a", "a/../../b", "..\\a"])
    await assert.rejects(
      writeTarGz(fresh(), { [name]: "x" }).then((it) =>
        unpackArchive(it, fresh()),
      ),
      /leads out of it/,
    );
  // The library that writes zip files refuses such a name, so it is put in afterwards.
  const zip = await writeZip(fresh(), { "xx/a": "x" });
  const bytes = (await readFile(zip)).toString("latin1");
  await writeFile(zip, Buffer.from(bytes.replaceAll("xx/a", "../a"), "latin1"));
  await assert.rejects(unpackArchive(zip, fresh()), { code: "bad_request" });
});

test("a name that occurs twice is refused", async () => {
  const again = { name: "./a", size: 0 };
  const archive = await writeTarGz(fresh(), { a: "x" }, [again]);
  await assert.rejects(unpackArchive(archive, fresh()), /names a file twice/);
});

test("a tar header that declares a huge name is refused before it is read", async () => {
  const name = "x".repeat(5_000_000);
  const archive = await writeTarGz(fresh(), {}, [
    { name: "a", size: 0, pax: { comment: name } },
  ]);
  await assert.rejects(
    unpackArchive(archive, fresh()),
    /Header exceeds max size/,
  );
});

test("a file that is no archive is refused", async () => {
  const file = fresh();
  await writeFile(file, "plain text");
  await assert.rejects(unpackArchive(file, fresh()), /neither a zip nor/);
  await writeFile(file, gzipSync("plain text"));
  await assert.rejects(unpackArchive(file, fresh()), { code: "bad_request" });
});

test("JSON is read record by record, and refused if it is damaged or has a huge record", async () => {
  const read = async (text: string) => {
    const file = fresh();
    await writeFile(file, text);
    const found: unknown[] = [];
    for await (const it of readRecords(file, "$.orderedItems.*"))
      found.push(it);
    return found;
  };
  const many = Array.from({ length: 5_000 }, (_, id) => ({ id, a: [{}] }));
  const whole = JSON.stringify({ id: "outbox.json", orderedItems: many });
  assert.deepEqual(await read(whole), many);
  await assert.rejects(read(whole.slice(0, -1)), /without an end/);
  await assert.rejects(read("{ no"), /cannot be read/);
  const huge = { orderedItems: ["x".repeat(5_000_000)] };
  await assert.rejects(read(JSON.stringify(huge)), /record that is too long/);
  const deep = `{"orderedItems":[${"[".repeat(3_000_000)}`;
  await assert.rejects(read(deep), /record that is too long/);
});
