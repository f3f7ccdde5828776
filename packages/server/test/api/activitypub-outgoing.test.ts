import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { after, before, test } from "node:test";
import { CONTENT_TYPE, digestHeader } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, submitAndApply } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type Delivered,
} from "../support/remote/remote-server.ts";

/** The parameters of a `Signature` header. */
function parametersOf({ headers }: Delivered): Map<string, string> {
  const text = String(headers["signature"]);
  return new Map(
    [...text.matchAll(/([A-Za-z]+)="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
}

/** Verifies the signature by hand against the received request. */
function isValid(delivered: Delivered, publicKeyPem: string): boolean {
  const parameters = parametersOf(delivered);
  const names = (parameters.get("headers") ?? "").split(" ");
  const lines = names.map((name) =>
    name === "(request-target)"
      ? `(request-target): post ${delivered.path}`
      : `${name}: ${String(delivered.headers[name])}`,
  );
  return verify(
    "sha256",
    Buffer.from(lines.join("\n")),
    createPublicKey(publicKeyPem),
    Buffer.from(parameters.get("signature") ?? "", "base64"),
  );
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  test("deliveries are signed with the user's RSA key, over User-Agent and the usual headers", async () => {
    const ann = await kith().person();
    const dan = remote.actor("dan");
    await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
    await ann.post("/posts", { post: "hello" });
    await kith().settle();
    assert.deepEqual(
      remote.delivered.map(({ activity }) => activity["type"]),
      ["Follow", "Create"],
    );
    for (const delivered of remote.delivered) {
      const parameters = parametersOf(delivered);
      const keyId = `${actorOf(kith(), ann.username)}/actor#main-key`;
      assert.equal(parameters.get("keyId"), keyId);
      assert.equal(parameters.get("algorithm"), "rsa-sha256");
      assert.equal(
        parameters.get("headers"),
        "(request-target) host date digest content-type user-agent",
      );
      const { headers, body } = delivered;
      assert.match(String(headers["user-agent"]), /^Kith\/\S+ \(\+http/);
      assert.equal(headers["content-type"], CONTENT_TYPE);
      assert.equal(headers["digest"], digestHeader(body));
      const key = ann.record.SerializedPublicKey;
      assert.equal(isValid(delivered, key), true);
      const other = { ...headers, "user-agent": "Other/1.0" };
      assert.equal(isValid({ ...delivered, headers: other }, key), false);
    }
  });
});
