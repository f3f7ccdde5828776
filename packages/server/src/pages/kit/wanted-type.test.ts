import assert from "node:assert/strict";
import { test } from "node:test";
import { wantsJson } from "./wanted-type.ts";

test("browsers, and programs that do not care, get the page", () => {
  for (const accept of [
    undefined,
    "",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
    "text/*",
    "text/html, application/json;q=0.9",
    "application/json;q=0.5, text/html;q=0.8",
    "text/html, application/json",
  ])
    assert.equal(wantsJson(accept), false, String(accept));
});

test("programs that want JSON, or no page, get JSON", () => {
  for (const accept of [
    "application/json",
    "application/json, text/plain, */*",
    "text/html;q=0.8, application/json",
    "text/html;q=0, */*",
    "application/activity+json",
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    "image/png",
    "nonsense",
    "text/html;q=nonsense",
  ])
    assert.equal(wantsJson(accept), true, accept);
});
