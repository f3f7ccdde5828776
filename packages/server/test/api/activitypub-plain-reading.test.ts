import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { sendFollow } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const AS = "https://www.w3.org/ns/activitystreams";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  test("renamed terms are read by their meaning, and an ambiguous author is refused", async () => {
    const ann = await kith().person();
    const rae = remote.actor("rae");
    await sendFollow(kith(), ann, rae);
    const texts = async () =>
      (await ann.get<PostRecord[]>("/posts")).map(({ Text }) => Text);

    const { content: _, ...note } = rae.note();
    const renamed = rae.activity("Create", {
      "@context": [AS, { says: "as:content" }],
      object: { ...note, says: "<p>in other words</p>" },
      to: [PUBLIC],
    });
    await rae.deliver(kith(), renamed);
    assert.deepEqual(await texts(), ["in other words"]);

    const vector: JsonObject = {
      "@context": [
        AS,
        {
          actor: "https://evil.example/ns#x",
          attributedTo: "https://evil.example/ns#y",
          author: { "@id": "as:actor", "@type": "@id" },
        },
      ],
      author: "https://victim.example/users/carol",
      object: rae.note(),
      to: [PUBLIC],
    };
    const refused = await rae.send(kith(), rae.activity("Create", vector));
    assert.equal(refused.status, 400, refused.text);
    await kith().settle();
    assert.deepEqual(await texts(), ["in other words"]);

    // Unsigned requests cause no JSON-LD processing.
    const unsigned = await fetch(`${kith().baseUrl}/api/v1/ap/inbox`, {
      method: "POST",
      headers: { "content-type": "application/activity+json" },
      body: JSON.stringify(rae.activity("Create", vector)),
    });
    assert.equal(unsigned.status, 401);
  });
});
