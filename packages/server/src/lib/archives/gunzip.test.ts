import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readForm } from "./file-form.ts";
import { gunzipInto } from "./gunzip.ts";
import { readLists } from "./read-json.ts";
import { ARCHIVE_LIMITS } from "./unpack.ts";

let folder: string;
let number = 0;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kith-gunzip-"));
});
after(() => rm(folder, { recursive: true }));

const write = async (content: string | Uint8Array) => {
  const file = path.join(folder, `file-${(number += 1)}`);
  await writeFile(file, content);
  return file;
};

const fresh = () => path.join(folder, `folder-${(number += 1)}`);

test("the form of a file is known by its first bytes", async () => {
  for (const [content, form] of [
    ['{"user": {}}', "json"],
    ['\n [ {"id": 1} ]', "json"],
    ['["https://a.example/b"]', "json"],
    [gzipSync('{"user": {}}'), "json.gz"],
    [gzipSync("anything else"), "tar.gz"],
    ["PK\u0003\u0004", "zip"],
    ["ann@a.example,true", "text"],
    ["[x],ann@a.example", "text"],
    ["", "text"],
  ] as const)
    assert.equal(await readForm(await write(content)), form);
});

test("a compressed JSON file is unpacked", async () => {
  const file = await gunzipInto(
    await write(gzipSync('{"a": 1}')),
    fresh(),
    ARCHIVE_LIMITS,
  );
  assert.equal(await readFile(file, "utf8"), '{"a": 1}');
});

test("a compressed JSON file that unpacks to more than is allowed is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000, "["));
  const limits = { ...ARCHIVE_LIMITS, maxBytes: 999_999 };
  await assert.rejects(gunzipInto(await write(bomb), fresh(), limits), {
    message: /more than is allowed/,
  });
  const cut = bomb.subarray(0, 100);
  await assert.rejects(gunzipInto(await write(cut), fresh(), ARCHIVE_LIMITS), {
    code: "bad_request",
  });
});

test("records of several lists are read in the order of the file", async () => {
  const file = await write(
    '{"a":{"y":[1,{"x":[2]}],"z":3},"y":[4],"b":{"x":["5"]},"c":[]}',
  );
  const found: unknown[] = [];
  for await (const { list, value } of readLists(file, ["b.x", "a.y"]))
    found.push([list, value]);
  assert.deepEqual(found, [
    ["a.y", 1],
    ["a.y", { x: [2] }],
    ["b.x", "5"],
  ]);
});
