import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  parseJson,
  readLdSignature,
  serialize,
  JSON_LD_BOUNDS,
  loadJsonLd,
  verifyLdSignature,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, submitAndApply } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type { AspectRecord, PersonRecord } from "../support/server/wire.ts";

/** A server with this software in its NodeInfo. */
async function startAs(software: string): Promise<RemoteServer> {
  const remote = await RemoteServer.start();
  const schema = "http://nodeinfo.diaspora.software/ns/schema/2.0";
  const href = `${remote.origin}/nodeinfo/2.0`;
  remote.documents.set(`${remote.origin}/.well-known/nodeinfo`, {
    links: [{ rel: schema, href }],
  });
  remote.documents.set(href, { version: "2.0", software: { name: software } });
  return remote;
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let friendica: RemoteServer;
  let mastodon: RemoteServer;
  before(async () => {
    friendica = await startAs("Friendica");
    mastodon = await startAs("mastodon");
  });
  after(async () => {
    await friendica.close();
    await mastodon.close();
  });

  const ofType = (remote: RemoteServer, type: string): JsonObject => {
    const [one, ...more] = remote.ofType(type);
    assert.ok(one);
    assert.deepEqual(more, []);
    return parseJson(one.body);
  };

  test("public posts go to Friendica with an LD signature, to others without, and limited ones never have one", async () => {
    const ann = await kith().person();
    const fay = friendica.actor("fay");
    const dan = mastodon.actor("dan");
    for (const { id } of [fay, dan])
      await submitAndApply(kith(), ann, { type: "Follow", object: id });
    await kith().settle();
    await ann.post("/posts", { post: "for everyone" });
    await kith().settle();
    const signed = ofType(friendica, "Create");
    const plain = ofType(mastodon, "Create");
    assert.equal(
      readLdSignature(signed)?.creator,
      `${actorOf(kith(), ann.username)}/actor#main-key`,
    );
    await verifyLdSignature(
      signed,
      ann.record.SerializedPublicKey,
      await loadJsonLd(),
    );
    const { signature: _, ...unsigned } = signed;
    assert.equal(serialize(unsigned), serialize(plain));

    friendica.delivered.length = 0;
    const found = await ann.post<PersonRecord>("/search", {
      handle: fay.handle,
    });
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "few",
    });
    await ann.post(`/people/${found.ID}/aspects/${aspectID}`);
    await ann.post("/posts", { post: "for few", aspectID });
    await kith().settle();
    const limited = ofType(friendica, "Create");
    assert.equal("signature" in limited, false);
    assert.equal("proof" in limited, false);
  });

  test("a post that is too large for JSON-LD goes out without a signature", async () => {
    friendica.delivered.length = 0;
    const ann = await kith().person();
    const fay = friendica.actor("fay");
    await submitAndApply(kith(), ann, { type: "Follow", object: fay.id });
    const tags = Array.from({ length: 400 }, (_, at) => `#t${at}`);
    await ann.post("/posts", { post: tags.join(" ") });
    await kith().settle();
    const large = ofType(friendica, "Create");
    const { tag } = large["object"] as { tag: readonly unknown[] };
    assert.ok(tag.length > JSON_LD_BOUNDS.objects, `${tag.length} tags`);
    assert.equal("signature" in large, false);
    assert.ok("proof" in large);
  });
});
