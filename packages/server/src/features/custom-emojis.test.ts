import assert from "node:assert/strict";
import { test } from "node:test";
import { readEmojis } from "./custom-emojis.ts";

const url = "https://pics.example/1.png";

test("an emoji has a short name and the address of a picture, or is none", () => {
  assert.deepEqual(
    readEmojis([
      { shortcode: ":blobcat:", url },
      { shortcode: "a-b_c+1", url: "http://pics.example/2.png" },
      { shortcode: ":blobcat:", url: "https://other.example/" },
    ]),
    [
      { shortcode: "blobcat", url },
      { shortcode: "a-b_c+1", url: "http://pics.example/2.png" },
    ],
  );
  for (const [shortcode, address] of [
    ["", url],
    [":", url],
    ["::", url],
    ["a b", url],
    ["a:b", url],
    ["a|b", url],
    ["\u202Eabc", url],
    ["<b>", url],
    ["a".repeat(65), url],
    ["a", undefined],
    ["a", "data:image/png;base64,AAAA"],
    ["a", "javascript:alert(1)"],
    ["a", "/1.png"],
    ["a", "https://user@pics.example/"],
    ["a", "https://10.0.0.1/"],
    ["a", "https://[::1]/"],
    ["a", `https://pics.example/${"a".repeat(500)}`],
    // Percent-encoded, it is longer than as received.
    ["a", `https://pics.example/${"ü".repeat(200)}`],
  ] as const)
    assert.deepEqual(readEmojis([{ shortcode, url: address }]), []);
});

test("of many emojis fifty are kept", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    shortcode: `e${at}`,
    url,
  }));
  assert.equal(readEmojis(many).length, 50);
});
