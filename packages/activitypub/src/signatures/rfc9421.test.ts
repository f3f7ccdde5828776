import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  KEY_ID,
  NOW,
  arrived,
  ed25519,
  options,
  withHeader,
} from "../../test/requests.ts";
import type { ReceivedRequest } from "./request.ts";
import { signRfc9421 } from "./sign.ts";
import { parseHttpSignature, verifyHttpSignature } from "./verify.ts";

import {
  BODY,
  INBOX,
  OUTBOX,
  fault,
  sent,
  signer,
  verify,
} from "../../test/signing.ts";

describe("RFC 9421", () => {
  const input = (request: ReceivedRequest) =>
    request.headers.find(([name]) => name === "signature-input")?.[1] ?? "";

  async function signed(over: { components?: string[]; expires?: Date } = {}) {
    const request = {
      method: "POST",
      url: INBOX,
      headers: sent,
      body: BODY,
      ...signer,
      ...over,
    };
    return arrived("POST", INBOX, await signRfc9421(request), BODY);
  }

  test("signs method, target, body and User-Agent", async () => {
    const request = await signed();
    assert.equal(
      input(request),
      `sig1=("@method" "@target-uri" "content-digest" "user-agent");alg="rsa-v1_5-sha256";keyid="${KEY_ID}";created=1781517600`,
    );
    await verify(request);
    await assert.rejects(
      verify({ ...request, body: Buffer.from("{}") }),
      fault("digest-mismatch"),
    );
    await assert.rejects(
      verify({ ...request, method: "PUT" }),
      fault("bad-signature"),
    );
    await assert.rejects(
      verify(request, { origin: "https://other.example" }),
      fault("bad-signature"),
    );
  });

  test("signs with Ed25519", async () => {
    const headers = await signRfc9421({
      method: "GET",
      url: OUTBOX,
      headers: {},
      ...signer,
      privateKey: ed25519.privateKey,
    });
    assert.match(headers["signature-input"] ?? "", /alg="ed25519"/);
    const request = arrived("GET", OUTBOX, headers);
    await verifyHttpSignature(
      request,
      parseHttpSignature(request),
      ed25519.publicKey,
      options,
    );
  });

  test("respects its own expiry", async () => {
    const request = await signed({ expires: new Date(NOW.getTime() + 60_000) });
    await verify(request, { now: new Date(NOW.getTime() + 60_000) });
    await assert.rejects(
      verify(request, { now: new Date(NOW.getTime() + 60_001) }),
      fault("expired"),
    );
  });

  test("accepts equivalent forms of the target, but only complete ones", async () => {
    await verify(
      await signed({
        components: ["@method", "@authority", "@target-uri", "content-digest"],
      }),
    );
    const request = await signed();
    for (const list of [
      '"@method" "@authority" "@path"',
      '"@method" "@path" "@query"',
      '"@method" "@request-target"',
    ]) {
      const changed = withHeader(
        request,
        "signature-input",
        input(request).replace('"@method" "@target-uri"', list),
      );
      await assert.rejects(
        verify(changed),
        fault("request-target-not-covered"),
      );
    }
  });

  test("parses both headers strictly", async () => {
    const request = await signed();
    const good = input(request);
    const read = (text: string) =>
      parseHttpSignature(withHeader(request, "signature-input", text));
    assert.equal(
      read(`other=("@method");keyid="https://x.example/", ${good}`).keyId,
      KEY_ID,
    );
    for (const broken of [
      "",
      "sig1",
      "sig1=",
      good.replace('"@method"', '"@method";req'),
      good.replace('"@method"', '"@method" "@method"'),
      good.replace(")", ""),
      `${good};keyid="https://x.example/"`,
      good.replace("created=", "created=-"),
      good.replace("created=1781517600", 'created="x"'),
      good.replace("keyid=", "key="),
      `${good}, ${good}`,
      `${good} x`,
      good.replace("sig1", "SIG1"),
    ]) {
      assert.throws(
        () => read(broken),
        { code: "signature_malformed" },
        broken,
      );
    }
    assert.throws(
      () => parseHttpSignature(withHeader(request, "signature", "sig1=AAAA")),
      { code: "signature_malformed" },
    );
  });
});
