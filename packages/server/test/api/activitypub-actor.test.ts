import assert from "node:assert/strict";
import { test } from "node:test";
import { CONTENT_TYPE, type JsonObject } from "@kith/activitypub";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, ask, read, walk } from "../support/remote/linked-data.ts";
import type { AspectRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("an actor has the addresses that the interface fixes", async () => {
    const ann = await kith().person();
    const id = actorOf(kith(), ann.username);
    const actor = await read(id);
    assert.equal(actor["id"], id);
    assert.equal(actor["type"], "Person");
    assert.equal(actor["preferredUsername"], ann.username);
    for (const box of ["inbox", "outbox", "followers", "following", "featured"])
      assert.equal(actor[box], `${id}/${box}`);
    assert.deepEqual(actor["endpoints"], {
      sharedInbox: `${kith().baseUrl}/api/v1/ap/inbox`,
    });
    assert.deepEqual(actor["publicKey"], {
      id: `${id}/actor#main-key`,
      owner: id,
      publicKeyPem: ann.record.SerializedPublicKey,
    });
    assert.equal(actor["url"], `${kith().baseUrl}/u/${ann.username}`);
    assert.equal(actor["webfinger"], ann.handle);
    assert.equal(actor["diaspora:guid"], ann.record.Guid);
  });

  test("every address of an actor, its key id among them, gives the same bytes", async () => {
    const ann = await kith().person();
    const id = actorOf(kith(), ann.username);
    const { text } = await ask(id);
    const keyId = (JSON.parse(text) as { publicKey: { id: string } }).publicKey
      .id;
    const withoutFragment = keyId.slice(0, keyId.indexOf("#"));
    const older = `${kith().baseUrl}/api/v0/ap/user/${ann.username}/actor`;
    for (const url of [
      withoutFragment,
      older,
      actorOf(kith(), ann.username.toUpperCase()),
      `${id}/`,
    ]) {
      assert.equal((await ask(url)).text, text, url);
      const head = await ask(url, null, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-type"), CONTENT_TYPE);
    }
  });

  test("every ActivityPub type in Accept gets the same content type", async () => {
    const ann = await kith().person();
    const url = actorOf(kith(), ann.username);
    for (const accept of ["*/*", "text/html", "application/json", ""]) {
      const { headers } = await ask(url, null, { headers: { accept } });
      assert.equal(headers.get("content-type"), CONTENT_TYPE);
      assert.equal(headers.get("accept"), CONTENT_TYPE);
    }
  });

  test("the server has an actor of its own", async () => {
    const id = `${kith().baseUrl}/api/v1/ap/instance`;
    const actor = await read(id);
    assert.equal(actor["id"], id);
    assert.equal(actor["type"], "Application");
    const key = actor["publicKey"] as JsonObject;
    assert.equal(key["id"], `${id}#main-key`);
    assert.equal(key["owner"], id);
  });

  test("an unknown name", async () => {
    const { baseUrl } = kith();
    for (const name of ["nobody", "a-b", "%00", "..", "x".repeat(40)])
      for (const path of [
        `v1/ap/person/${name}/outbox`,
        `v1/ap/person/${name}/actor`,
        `v1/ap/person/${name}/followers`,
        `v1/ap/person/${name}/following`,
        `v1/ap/person/${name}/inbox`,
        `v0/ap/user/${name}/actor`,
        `v0/ap/user/${name}/outbox`,
        `v0/ap/user/${name}/followers`,
        `v0/ap/user/${name}/following`,
      ]) {
        // `..` goes up before it is sent.
        if (name === "..") continue;
        assertError(
          await ask(`${baseUrl}/api/${path}`),
          404,
          "Not found",
          path,
        );
      }
    assertError(
      await ask(actorOf(kith(), "nobody")),
      404,
      "Not found",
      "actor",
    );
  });

  test("others learn how many there are, oneself who they are", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    for (const follower of [bob, cat]) {
      const { ID } = await follower.post<AspectRecord>("/aspects", {
        name: "a",
      });
      await follower.post(`/people/${ann.record.ID}/aspects/${ID}`);
    }
    const id = actorOf(kith(), ann.username);
    const older = `${kith().baseUrl}/api/v0/ap/user/${ann.username}`;
    for (const [asker, url] of [
      [null, `${id}/followers`],
      [bob, `${id}/followers`],
      [null, `${older}/followers`],
    ] as const) {
      const { "@context": _, ...collection } = await read(url, asker);
      assert.deepEqual(collection, {
        id: `${id}/followers`,
        type: "OrderedCollection",
        totalItems: 2,
        first: `${id}/followers?page=1`,
      });
      const page = await read(`${url}?page=1`, asker);
      assert.deepEqual(page["orderedItems"], []);
      assert.equal(page["type"], "OrderedCollectionPage");
    }
    assert.deepEqual(await walk(`${id}/followers`, ann), [
      actorOf(kith(), cat.username),
      actorOf(kith(), bob.username),
    ]);
    assert.deepEqual(await walk(`${id}/following`, ann), []);
    assert.deepEqual(
      await walk(`${actorOf(kith(), bob.username)}/following`, bob),
      [id],
    );
    const unknown = { token: "0".repeat(64) };
    const refused = await ask(`${id}/followers`, unknown);
    assertError(refused, 401, "Unauthorized", "an unknown token");
  });
});
