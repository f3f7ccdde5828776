import assert from "node:assert/strict";
import { before, test } from "node:test";
import { CONTENT_TYPE } from "@kith/activitypub";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { ask } from "../support/remote/linked-data.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The routes below `/api/v0/ap/user/:username` and `/api/v1/ap/person/:username`. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  "v0/ap/inbox": ["POST"],
  "v0/ap/user/:username/inbox": ["POST"],
  "v0/ap/user/:username/outbox": ["GET", "POST"],
  "v0/ap/user/:username/actor": ["GET"],
  "v0/ap/user/:username/followers": ["GET"],
  "v0/ap/user/:username/following": ["GET"],
  "v1/ap/inbox": ["POST"],
  "v1/ap/instance": ["GET"],
  "v1/ap/person/:username": ["GET"],
  "v1/ap/person/:username/inbox": ["GET", "POST"],
  "v1/ap/person/:username/outbox": ["GET", "POST"],
  "v1/ap/person/:username/actor": ["GET"],
  "v1/ap/person/:username/followers": ["GET"],
  "v1/ap/person/:username/following": ["GET"],
  "v1/ap/object/0": ["GET"],
  "v1/ap/activity/0": ["GET"],
  "v1/ap/context/0": ["GET"],
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  before(async () => {
    ann = await kith().person();
    // The server's own key is made at its first use.
    await ask(`${kith().baseUrl}/api/v1/ap/instance`);
  });

  test("a method that an address does not serve", async () => {
    const unchanged = await kith().snapshot();
    for (const [path, served] of Object.entries(SERVED))
      for (const method of METHODS) {
        const url = `${kith().baseUrl}/api/${path.replace(":username", ann.username)}`;
        const body = method === "GET" ? null : "{}";
        const headers = { "content-type": CONTENT_TYPE };
        const answer = await ask(url, ann, { method, body, headers });
        const what = `${method} ${path}`;
        if (served.includes(method)) assert.notEqual(answer.status, 501, what);
        else assertError(answer, 501, "Not implemented", what);
      }
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("an unknown path, with any method", async () => {
    for (const path of [
      "/api/v1/ap",
      "/api/v1/ap/",
      "/api/v1/ap/nothing",
      "/api/v1/ap/object",
      "/api/v1/ap/object/",
      "/api/v1/ap/object/a/b",
      "/api/v1/ap/person",
      `/api/v1/ap/person/${ann.username}/nothing`,
      `/api/v1/ap/person/${ann.username}/inbox/1`,
      "/api/v0/ap",
      "/api/v0/ap/object/1",
      `/api/v0/ap/user/${ann.username}`,
      "/api/v2/ap/inbox",
      "/api/nothing",
      "/api",
    ])
      for (const method of METHODS) {
        const answer = await ask(kith().baseUrl + path, ann, { method });
        assertError(answer, 501, "Not implemented", `${method} ${path}`);
      }
  });

  test("errors are plain JSON, never linked data", async () => {
    const answer = await ask(`${kith().baseUrl}/api/v1/ap/person/nobody`);
    assertError(answer, 404, "Not found", "nobody");
    assert.equal(answer.headers.get("accept"), null);
  });
});
