import assert from "node:assert/strict";
import { test } from "node:test";
import { isFromElsewhere } from "./same-site.ts";

const BASE = "https://kith.example";

test("a program that sends neither header passes", () => {
  assert.equal(isFromElsewhere({}, BASE), false);
});

test("the own site passes", () => {
  for (const headers of [
    { origin: "https://kith.example" },
    { origin: "https://kith.example:443" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: BASE, "sec-fetch-site": "same-origin" },
  ])
    assert.equal(isFromElsewhere(headers, BASE), false);
});

test("another site does not, nor one that hides its name", () => {
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "http://kith.example" },
    { origin: "https://kith.example:8443" },
    { origin: "https://kith.example.evil.example" },
    { origin: "null" },
    { origin: "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "something-new" },
    { origin: BASE, "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ])
    assert.equal(isFromElsewhere(headers, BASE), true, JSON.stringify(headers));
});

test("a server on this machine answers to each loopback name, on its own port", () => {
  const base = "http://localhost:3000";
  const from = (origin: string) => isFromElsewhere({ origin }, base);
  assert.equal(from("http://127.0.0.1:3000"), false);
  assert.equal(from("http://[::1]:3000"), false);
  assert.equal(from("http://127.0.0.1:3001"), true);
  assert.equal(isFromElsewhere({ origin: "http://localhost" }, BASE), true);
});
