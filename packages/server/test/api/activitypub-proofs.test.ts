import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  decodeMultikey,
  parseJson,
  readActor,
  readIntegrityProof,
  verifyIntegrityProof,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  read,
} from "../support/remote/linked-data.ts";
import type { AspectRecord, PersonRecord } from "../support/server/wire.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  /** Verifies a proof only with the actor's own document. */
  async function verify(document: JsonObject, username: string): Promise<void> {
    const proof = readIntegrityProof(document);
    assert.ok(proof);
    const id = actorOf(kith(), username);
    const body = await read(id);
    const actor = readActor(body);
    assert.equal(proof.verificationMethod.split("#")[0], id);
    const methods = body["assertionMethod"] as JsonObject[];
    const method = methods.find(
      (one) => one["id"] === proof.verificationMethod,
    );
    assert.equal(method?.["controller"], actor.id);
    const { publicKeyMultibase } = method;
    assert.ok(typeof publicKeyMultibase === "string");
    const key = decodeMultikey(publicKeyMultibase);
    assert.ok(key);
    verifyIntegrityProof(document, key);
    const changed = { ...document, published: "2001-01-01" };
    assert.throws(
      () => {
        verifyIntegrityProof(changed, key);
      },
      { code: "signature_invalid" },
    );
  }

  test("public objects have a proof of their author, limited ones none", async () => {
    const ann = await kith().person();
    const dan = remote.actor("dan");
    await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
    const { ID: danId } = await ann.post<PersonRecord>("/search", {
      handle: dan.handle,
    });
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "few",
    });
    await ann.post(`/people/${danId}/aspects/${aspectID}`);
    await kith().settle();
    remote.delivered.length = 0;
    await ann.post("/posts", { post: "for everyone" });
    await ann.post("/posts", { post: "for few", aspectID });
    await ann.put("/profile", { FirstName: "Anna" });
    await kith().settle();
    const sent = remote.delivered.map(({ body }) => parseJson(body));
    assert.ok(sent.length >= 3);
    for (const document of sent) {
      const isPublic = JSON.stringify([
        document["to"],
        document["cc"],
      ]).includes("#Public");
      if (isPublic) await verify(document, ann.username);
      else assert.equal("proof" in document, false);
    }
    const types = sent.map(({ type, proof }) => [type, proof !== undefined]);
    assert.deepEqual(types.toSorted(), [
      ["Create", false],
      ["Create", true],
      ["Update", true],
    ]);
  });
});
