import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contentDigestHeader, digestHeader } from "../digest.ts";
import {
  arrived,
  ed25519,
  options,
  rsa,
  withHeader,
} from "../../test/requests.ts";
import { signCavage } from "./sign.ts";
import {
  checkHttpSignature,
  parseHttpSignature,
  verifyHttpSignature,
} from "./verify.ts";

import {
  BODY,
  INBOX,
  OUTBOX,
  fault,
  post,
  sent,
  signer,
  verify,
} from "../../test/signing.ts";

describe("digests", () => {
  test("have the values of RFC 3230 and RFC 9530", () => {
    const hello = Buffer.from('{"hello": "world"}\n');
    assert.equal(
      contentDigestHeader(hello),
      "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
    );
    assert.equal(
      digestHeader(hello),
      "SHA-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
    );
  });

  test("several digests: all known ones must match", async () => {
    const good = digestHeader(BODY);
    const names = ["(request-target)", "host", "date", "digest"];
    const check = async (digest: string) => {
      const request = await post(sent, { signedHeaders: names });
      const changed = withHeader(request, "digest", digest);
      checkHttpSignature(changed, parseHttpSignature(changed), options);
    };
    await check(good);
    await check(`MD5=x, ${good.replace("SHA-256", "sha-256")}`);
    await assert.rejects(check("MD5=x"), { code: "digest_mismatch" });
    await assert.rejects(check(""), { code: "digest_mismatch" });
    await assert.rejects(check(`${good},SHA-512=AAAA`), {
      code: "digest_mismatch",
    });
  });
});

describe("signCavage", () => {
  test("signs all relevant headers, User-Agent last", async () => {
    const request = await post();
    const headers = Object.fromEntries(request.headers);
    assert.equal(headers["host"], "kith.example");
    assert.equal(headers["date"], "Mon, 15 Jun 2026 10:00:00 GMT");
    assert.equal(headers["digest"], digestHeader(BODY));
    assert.match(
      headers["signature"] ?? "",
      /headers="\(request-target\) host date digest content-type user-agent"/,
    );
    await verify(request);
  });

  test("signs a GET with and without its query", async () => {
    for (const signQuery of [true, false]) {
      const headers = await signCavage({
        method: "GET",
        url: OUTBOX,
        headers: sent,
        signQuery,
        ...signer,
      });
      assert.match(
        headers["signature"] ?? "",
        /headers="\(request-target\) host date user-agent"/,
      );
      assert.equal("digest" in headers, false);
      await verify(arrived("GET", OUTBOX, headers));
    }
  });

  test("a POST signed with the path alone is refused", async () => {
    const url = `${INBOX}?x=1`;
    const headers = await signCavage({
      method: "POST",
      url,
      headers: sent,
      body: BODY,
      signQuery: false,
      ...signer,
    });
    await assert.rejects(
      verify(arrived("POST", url, headers, BODY)),
      fault("bad-signature"),
    );
  });

  test("refuses to sign headers that are missing or would not survive transport", async () => {
    await assert.rejects(post(sent, { signedHeaders: ["x-none"] }), {
      code: "unsupported",
    });
    await assert.rejects(post({ "user-agent": "Kìth" }), {
      code: "unsupported",
    });
    await assert.rejects(post({ "user-agent": "a\nhost: b" }), {
      code: "unsupported",
    });
    await assert.rejects(
      signCavage({
        method: "GET",
        url: OUTBOX,
        headers: {},
        ...signer,
        keyId: 'https://a/"',
      }),
      { code: "unsupported" },
    );
  });

  test("signs with Ed25519, named hs2019", async () => {
    const headers = await signCavage({
      method: "GET",
      url: OUTBOX,
      headers: {},
      ...signer,
      privateKey: ed25519.privateKey,
    });
    assert.match(headers["signature"] ?? "", /algorithm="hs2019"/);
    const request = arrived("GET", OUTBOX, headers);
    const parsed = parseHttpSignature(request);
    await verifyHttpSignature(request, parsed, ed25519.publicKey, options);
    await assert.rejects(
      verifyHttpSignature(request, parsed, rsa.publicKey, options),
      fault("bad-signature"),
    );
  });
});
