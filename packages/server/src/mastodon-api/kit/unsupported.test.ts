import assert from "node:assert/strict";
import { test } from "node:test";
import { isMastodonPath } from "./unsupported.ts";

test("paths of this API are known by their resources", () => {
  for (const path of [
    ...["/api/v1/push/subscription", "/api/v1/statuses/1/pin"],
    ...["/api/v2/notifications/policy", "/api/v1/directory", "/api/oembed"],
  ])
    assert.ok(isMastodonPath(path), path);
  for (const path of [
    ...["/api/v0/posts", "/api/v1/ap/inbox", "/api/v1/posts", "/api/v2/posts"],
    ...[
      "/api/v1",
      "/api/v1/",
      "/api/v3/search",
      "/api/v1/toString",
      "/v1/tags",
    ],
  ])
    assert.ok(!isMastodonPath(path), path);
});
