import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  objectOf,
  read,
  readDocument,
} from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_AUTHORIZED_FETCH: "true" } });
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  test("objects, activities and collections are for signed requests and tokens", async () => {
    const ann = await kith().person();
    const rae = remote.actor("rae");
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "public" });
    const actor = actorOf(kith(), ann.username);
    const object = objectOf(kith(), Guid);
    const older = `${kith().baseUrl}/api/v0/ap/user/${ann.username}`;
    const urls = [
      object,
      activityOf(kith(), Guid),
      `${kith().baseUrl}/api/v1/ap/context/${Guid}`,
      ...["replies", "likes", "shares"].map((name) => `${object}/${name}`),
      ...[actor, older].flatMap((below) =>
        ["outbox", "followers", "following", "featured"].map(
          (name) => `${below}/${name}`,
        ),
      ),
      `${actor}/outbox?page=1`,
      `${kith().baseUrl}/posts/${Guid}`,
    ];
    for (const url of urls) {
      assert.equal((await ask(url)).status, 401, url);
      assert.equal((await ask(url, null, { method: "HEAD" })).status, 401, url);
      readDocument(await rae.get(kith(), url), url);
      await read(url, ann);
    }
    const nothing = objectOf(kith(), "0".repeat(32));
    assert.equal((await ask(nothing)).status, 401);
    assert.equal((await rae.get(kith(), nothing)).status, 404);
  });

  test("everyone gets the keys of an actor, and signed requests get the rest", async () => {
    const ann = await kith().person();
    const rae = remote.actor("rose");
    const id = actorOf(kith(), ann.username);
    const whole = readDocument(await rae.get(kith(), id));
    assert.equal(whole["webfinger"], ann.handle);
    for (const url of [
      id,
      `${id}/actor`,
      `${kith().baseUrl}/api/v0/ap/user/${ann.username}/actor`,
      `${kith().baseUrl}/u/${ann.username}`,
    ]) {
      const reduced = await read(url);
      assert.deepEqual(Object.keys(reduced).sort(), [
        "@context",
        "assertionMethod",
        "endpoints",
        "id",
        "inbox",
        "outbox",
        "preferredUsername",
        "publicKey",
        "type",
      ]);
      assert.deepEqual(reduced["publicKey"], whole["publicKey"]);
      assert.deepEqual(readDocument(await rae.get(kith(), url)), whole);
      assert.deepEqual(await read(url, ann), whole);
    }
    const instance = await read(`${kith().baseUrl}/api/v1/ap/instance`);
    assert.ok("publicKey" in instance);
  });

  test("a signature that is none gets an actor's keys, and nothing else", async () => {
    const ann = await kith().person();
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "public" });
    const headers = {
      signature: `keyId="${remote.actor("x").keyId}",headers="date",signature="AA=="`,
    };
    const id = actorOf(kith(), ann.username);
    const actor = readDocument(await ask(id, null, { headers }));
    assert.equal("webfinger" in actor, false);
    const object = await ask(objectOf(kith(), Guid), null, { headers });
    assert.equal(object.status, 401);
  });

  test("a server that needs an unsigned fetch itself can follow", async () => {
    const ann = await kith().person();
    const rae = remote.actor("rita");
    await rae.deliver(
      kith(),
      rae.activity("Follow", { object: actorOf(kith(), ann.username) }),
    );
    assert.equal(
      remote.ofType("Accept").filter(({ path }) => path.includes("rita"))
        .length,
      1,
    );
  });
});
