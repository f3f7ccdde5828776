import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { fetchAll, upload } from "../support/scenes/pictures.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a file is served in parts, and not again to a client that has it", async () => {
    const olga = await kith().person({ handle: "olga" });
    const { ID: photoID } = await upload(olga);
    const form = { post: "for all", photoID };
    const { Photos } = await olga.post<PostRecord>("/posts", form);
    const url = Photos[0]?.Url ?? assert.fail("no picture");
    const whole = await fetchAll(url);
    const tag = whole.headers["etag"] ?? assert.fail("no tag");
    const size = whole.bytes.length;
    assert.equal(whole.headers["accept-ranges"], "bytes");

    const first = await fetchAll(url, { range: "bytes=0-9" });
    assert.equal(first.status, 206);
    assert.deepEqual(first.bytes, whole.bytes.subarray(0, 10));
    assert.equal(first.headers["content-range"], `bytes 0-9/${size}`);
    assert.equal(first.headers["content-length"], "10");
    const same = { range: "bytes=-5", "if-range": tag };
    const last = await fetchAll(url, same);
    assert.equal(last.status, 206);
    assert.deepEqual(last.bytes, whole.bytes.subarray(size - 5));
    const beyond = await fetchAll(url, { range: `bytes=${size}-` });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers["content-range"], `bytes */${size}`);
    for (const headers of [
      { range: "bytes=0-9", "if-range": '"another"' },
      { range: "bytes=0-9", "if-range": `W/${tag}` },
      { range: "bytes=0-1,4-5" },
      { range: "lines=0-9" },
      { range: "nonsense" },
    ] as Record<string, string>[]) {
      const answer = await fetchAll(url, headers);
      assert.equal(answer.status, 200, JSON.stringify(headers));
      assert.deepEqual(answer.bytes, whole.bytes);
    }

    for (const address of [url, `${kith().baseUrl}/assets/kith.css`]) {
      const known = (await fetchAll(address)).headers["etag"] ?? "";
      for (const value of [
        known,
        `W/${known}`,
        `"a", ${known}`,
        `"a",W/${known},"b"`,
        "*",
      ]) {
        const headers = { "if-none-match": value };
        const answer = await fetchAll(address, headers);
        assert.equal(answer.status, 304, `${address} ${value}`);
      }
      const other = await fetchAll(address, { "if-none-match": '"a", "b"' });
      assert.equal(other.status, 200);
    }
  });
});
